// SPDX-License-Identifier: MIT
// Secrets of a home that follow from a name by rule. A rule needs a name to look at: it holds for
// what is there when a run begins, where a mask holds for what comes later too.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sandbox {

// True if a name mentions a history; a token, password, key, wallet or the like.
[[nodiscard]] bool names_history(std::string_view name);
[[nodiscard]] bool names_secret(std::string_view name);

// The findings of the rules in a home, and the directories that were searched.
struct RuleSecrets {
  std::vector<std::string> names;     // relative to the home, none of them in `masks` or below
  std::vector<std::string> looked;    // directories, "" is the home itself
  std::vector<std::string> programs;  // directories of one program each
};

// `masks` are the paths that are masked anyway. Nothing at or above `keep`, the project below the
// home, is a secret; empty for a project elsewhere.
[[nodiscard]] RuleSecrets secrets_by_rule(int home, const std::vector<std::string>& masks,
                                          const std::string& keep);

// The existing directories that the rules search.
[[nodiscard]] std::vector<std::string> directories_of_rules(const std::vector<std::string>& masks);

// The same in these directories alone, which were looked at before and have changed since.
[[nodiscard]] RuleSecrets secrets_by_rule_in(int home, const std::vector<std::string>& directories,
                                             const std::vector<std::string>& masks,
                                             const std::string& keep);

// The same in these directories of one program each.
[[nodiscard]] RuleSecrets secrets_in_programs(int home, const std::vector<std::string>& programs,
                                              const std::vector<std::string>& masks,
                                              const std::string& keep);

}  // namespace shadow::sandbox
