// SPDX-License-Identifier: MIT
// git-fsck's rules for the text of a `.gitmodules`: names and addresses that git took for options,
// commands, or paths out of its directory (CVE-2018-11235, CVE-2018-17456, CVE-2019-19604,
// CVE-2020-11008).

#pragma once

#include "git/objects/object_rules.hpp"

#include <span>
#include <string>
#include <string_view>

namespace shadow::git {

// A setting of a `.gitmodules`, of the submodule `name`.
struct ModuleSetting {
  std::string name;
  std::string key;
  std::string value;
};

[[nodiscard]] std::span<const Rule<std::string_view>> modules_rules();  // for the whole text
[[nodiscard]] std::span<const Rule<ModuleSetting>> module_setting_rules();

// The first rule that the text of a `.gitmodules` breaks, or null.
[[nodiscard]] const RuleText* check_modules(std::string_view text);

}  // namespace shadow::git
