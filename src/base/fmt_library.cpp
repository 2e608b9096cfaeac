// SPDX-License-Identifier: MIT
// fmt's compiled library, for the programs that cannot use Debian's, which is a shared one. As
// headers alone it costs every source that includes it three to four seconds.
#include <fmt/format-inl.h>

// Those templates that fmt's headers declare as instantiated elsewhere.
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
