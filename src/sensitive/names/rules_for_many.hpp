// SPDX-License-Identifier: MIT
// Rules of the list that stand for more than one name: endings, and patterns with stars. Pure.

#pragma once

#include "sensitive/names/sensitive_list.hpp"

#include <string_view>

namespace shadow::sensitive {

[[nodiscard]] bool is_for_many(const SensitiveName& rule);

// True if a folded path falls under such a rule.
[[nodiscard]] bool falls_under(std::string_view path, const SensitiveName& rule);

// True if the folded path fits a pattern with "/**/" in it.
[[nodiscard]] bool fits_way(std::string_view path, std::string_view pattern);

// The first one of the list that has this effect and that the folded path falls under; nullptr when
// there is none.
[[nodiscard]] const SensitiveName* find_rule_for_many(std::string_view path,
                                                      SensitiveEffect effect);

}  // namespace shadow::sensitive
