// SPDX-License-Identifier: MIT
// Secrets of a home that follow from a name by rule. A rule needs a name to look at: it holds for
// what is there when a run begins, where a mask holds for what comes later too.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sandbox {

// What a name is left over from, or a copy of: "x~", "x.bak", "x-old", ".x.swp", "#x#", and
// whatever else has a known name before it and no letter or digit behind that. So are other
// channels of the same program ("google-chrome-beta"). `is_known` is asked for names in the same
// directory.
[[nodiscard]] bool is_left_over(std::string_view name,
                                const std::function<bool(std::string_view)>& is_known);

// Whether a name speaks of a history; of a token, password, key, wallet or the like.
[[nodiscard]] bool names_history(std::string_view name);
[[nodiscard]] bool names_secret(std::string_view name);

// What the rules found in a home, and where they looked.
struct RuleSecrets {
  std::vector<std::string> names;   // relative to the home, none of them in `masks` or below
  std::vector<std::string> looked;  // directories, "" is the home itself
};

// `masks` are the paths that are masked anyway. Nothing at or above `keep`, the project below the
// home, is a secret; empty for a project elsewhere.
[[nodiscard]] RuleSecrets secrets_by_rule(int home, const std::vector<std::string>& masks,
                                          const std::string& keep);

// Where the rules look, as far as it exists.
[[nodiscard]] std::vector<std::string> directories_of_rules(const std::vector<std::string>& masks);

// The same in these directories alone, which were looked at before and have changed since.
[[nodiscard]] RuleSecrets secrets_by_rule_in(int home, const std::vector<std::string>& directories,
                                             const std::vector<std::string>& masks,
                                             const std::string& keep);

}  // namespace shadow::sandbox
