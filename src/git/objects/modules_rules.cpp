// SPDX-License-Identifier: MIT
// As in git's own fsck.c and submodule-config.c.
#include "git/objects/modules_rules.hpp"

#include "base/ascii.hpp"
#include "base/git_config_text.hpp"

#include <algorithm>
#include <array>

namespace shadow::git {

namespace {

bool is_separator(char c) {
  return c == '/' || c == '\\';
}

// check_submodule_name
bool is_bad_name(std::string_view name) {
  std::size_t begin = 0;
  while (begin <= name.size()) {
    std::size_t end = begin;
    while (end < name.size() && !is_separator(name[end])) {
      ++end;
    }
    if (name.substr(begin, end - begin) == "..") {
      return true;
    }
    begin = end + 1;
  }
  return name.empty();
}

int hex_digit(char c) {
  constexpr int kTen = 10;
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char small = lower_ascii(std::string_view{&c, 1}).front();
  return small >= 'a' && small <= 'f' ? small - 'a' + kTen : -1;
}

std::string url_decoded(std::string_view url) {
  std::string text;
  while (!url.empty()) {
    const int high = url.size() > 2 ? hex_digit(url[1]) : -1;
    const int low = url.size() > 2 ? hex_digit(url[2]) : -1;
    if (url.front() == '%' && high >= 0 && low >= 0) {
      text += static_cast<char>(high * 16 + low);
      url.remove_prefix(3);
    } else {
      text += url.front();
      url.remove_prefix(1);
    }
  }
  return text;
}

// A relative address that climbs out of the host's part of the one that it is appended to.
bool climbs_out(std::string_view url) {
  bool any = false;
  while (url.starts_with("../") || url.starts_with("./") || url.starts_with("..\\") ||
         url.starts_with(".\\")) {
    any = any || url[1] == '.';
    url.remove_prefix(url[1] == '.' ? 3 : 2);
  }
  return any && (url.starts_with(':') || url.starts_with('/'));
}

// Addresses that git passes to curl must have a host.
bool is_bad_web_address(std::string_view url) {
  constexpr std::array<std::string_view, 4> kSchemes = {"http", "https", "ftp", "ftps"};
  for (const std::string_view scheme : kSchemes) {
    if (!url.starts_with(scheme)) {
      continue;
    }
    std::string_view rest = url.substr(scheme.size());
    if (rest.starts_with("::")) {
      rest.remove_prefix(2);  // a helper's name before the whole address
      const std::size_t colon = rest.find("://");
      if (colon == std::string_view::npos || colon == 0) {
        return true;
      }
      rest.remove_prefix(colon);
    }
    if (rest.starts_with("://")) {
      const std::string_view host = rest.substr(3, rest.find_first_of("/?#", 3) - 3);
      const std::size_t at = host.rfind('@');
      return (at == std::string_view::npos ? host : host.substr(at + 1)).empty();
    }
  }
  return false;
}

// check_submodule_url
bool is_bad_url(std::string_view url) {
  return url.starts_with('-') || url_decoded(url).find('\n') != std::string::npos ||
         climbs_out(url) || is_bad_web_address(url);
}

constexpr auto kTextRules = std::to_array<Rule<std::string_view>>({
    {{"gitmodulesParse", Severity::Info, "its '.gitmodules' is no text"},
     [](const std::string_view& text) { return text.find('\0') != std::string_view::npos; }},
});

constexpr auto kSettingRules = std::to_array<Rule<ModuleSetting>>({
    {{"gitmodulesName", Severity::Error, "its '.gitmodules' has a name with '..'"},
     [](const ModuleSetting& setting) { return is_bad_name(setting.name); }},
    {{"gitmodulesUrl", Severity::Error, "its '.gitmodules' has a bad address"},
     [](const ModuleSetting& setting) {
       return setting.key == "url" && is_bad_url(setting.value);
     }},
    {{"gitmodulesPath", Severity::Error, "its '.gitmodules' has a path that reads as an option"},
     [](const ModuleSetting& setting) {
       return setting.key == "path" && setting.value.starts_with('-');
     }},
    {{"gitmodulesUpdate", Severity::Error, "its '.gitmodules' has a command to run"},
     [](const ModuleSetting& setting) {
       return setting.key == "update" && setting.value.starts_with('!');
     }},
});

}  // namespace

std::span<const Rule<std::string_view>> modules_rules() {
  return kTextRules;
}

std::span<const Rule<ModuleSetting>> module_setting_rules() {
  return kSettingRules;
}

const RuleText* check_modules(std::string_view text) {
  if (const RuleText* rule = first_broken(modules_rules(), text)) {
    return rule;
  }
  for (const GitConfigEntry& entry : parse_git_config_text(text).entries) {
    if (entry.section != "submodule" || !entry.subsection) {
      continue;
    }
    const ModuleSetting setting{*entry.subsection, entry.key, entry.value.value_or("")};
    if (const RuleText* rule = first_broken(module_setting_rules(), setting)) {
      return rule;
    }
  }
  return nullptr;
}

}  // namespace shadow::git
