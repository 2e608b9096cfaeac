// SPDX-License-Identifier: MIT
#include "sensitive/parts/git_settings.hpp"

#include "base/git_config_text.hpp"
#include "sensitive/scripts/git_commands.hpp"

#include <algorithm>

namespace shadow::sensitive {

namespace {

bool includes(const GitConfigEntry& entry) {
  return (entry.section == "include" || entry.section == "includeif") && entry.key == "path";
}

bool says_something(const GitConfigEntry& entry) {
  return entry.value && !entry.value->empty() &&
         (includes(entry) || use_of_setting(entry) != SettingUse::None);
}

}  // namespace

// git takes the settings before a mistake as well.
bool is_git_configuration(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || text.starts_with("#!")) {
    return false;
  }
  const std::size_t line = text.substr(0, open).rfind('\n');
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  if (text.substr(begin, open - begin).find_first_not_of(kBlanks) != std::string_view::npos) {
    return false;
  }
  const GitConfigText config = parse_git_config_text(text);
  return std::any_of(config.entries.begin(), config.entries.end(), says_something);
}

GitSettings git_settings(std::string_view text) {
  GitSettings found;
  for (const GitConfigEntry& entry : parse_git_config_text(text).entries) {
    if (!says_something(entry)) {
      continue;
    }
    const std::string& value = *entry.value;
    const SettingUse use = includes(entry) ? SettingUse::Attributes : use_of_setting(entry);
    switch (use) {
      case SettingUse::Hooks:
      case SettingUse::Template:
      case SettingUse::Trusted:
        found.trees.push_back(value);
        break;
      case SettingUse::Attributes:
        found.files.push_back(value);
        break;
      case SettingUse::Command:
        found.commands += value + "\n";
        break;
      case SettingUse::None:
        break;
    }
  }
  return found;
}

}  // namespace shadow::sensitive
