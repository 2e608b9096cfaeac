// SPDX-License-Identifier: MIT
// Finds what a path is by its name in the list of those that programs run or obey.

#pragma once

#include "sensitive/names/sensitive_list.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// The one that a folded path falls under; nullptr when there is none. A file that is sensitive by
// its own name leads to programs if the list does not say otherwise.
[[nodiscard]] const LeadingName* find_leading_name(std::string_view folded_path);

// The rule with this effect that a folded path falls under; nullptr when there is none.
[[nodiscard]] const SensitiveName* find_sensitive_name(
    std::string_view folded_path, SensitiveEffect effect = SensitiveEffect::Stops);

// The rule for a folded path that Python, started at the project's top, would take for one of its
// own modules; nullptr when there is none. `link`: the path is a link, which may lead to a package.
[[nodiscard]] const SensitiveName* find_python_module(std::string_view folded_path, bool link);

// The rule for a folded path that counts by it only because it begins at the top of a repository;
// nullptr when there is none. `link`: what lies below the path by that rule counts as well.
[[nodiscard]] const SensitiveName* find_sensitive_at_top(std::string_view folded_path, bool link);

// True if one of the user's own patterns names the path or a directory on it, in whatever case and
// form: one without a slash is matched with the last component, one with a slash with the whole.
[[nodiscard]] bool matches_pattern(const std::string& path,
                                   const std::vector<std::string>& patterns);

// A rule that names something below the path, to which a link there would lead.
[[nodiscard]] const SensitiveName* find_sensitive_below(std::string_view folded_path);

}  // namespace shadow::sensitive
