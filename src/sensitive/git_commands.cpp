// SPDX-License-Identifier: MIT
#include "sensitive/git_commands.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace shadow {

namespace {

struct Setting {
  std::string_view section;  // "": any
  std::string_view key;
  SettingUse use;
};

// From git-config(1) of git 2.51, and the manuals that it sends one to. A subsection is not looked
// at: it is the user's own word.
constexpr std::array kSettings = {
    Setting{"core", "hookspath", SettingUse::Hooks},
    Setting{"init", "templatedir", SettingUse::Template},
    Setting{"core", "attributesfile", SettingUse::Attributes},
    Setting{"core", "fsmonitor", SettingUse::Command},
    Setting{"core", "gitproxy", SettingUse::Command},
    Setting{"core", "askpass", SettingUse::Command},
    Setting{"diff", "external", SettingUse::Command},
    Setting{"difftool", "path", SettingUse::Command},
    Setting{"mergetool", "path", SettingUse::Command},
    Setting{"man", "path", SettingUse::Command},
    Setting{"browser", "path", SettingUse::Command},
    Setting{"instaweb", "httpd", SettingUse::Command},
    Setting{"pager", "", SettingUse::Command},
    Setting{"remote", "uploadpack", SettingUse::Command},
    Setting{"remote", "receivepack", SettingUse::Command},
    Setting{"remote", "vcs", SettingUse::Command},
    Setting{"sendemail", "smtpserver", SettingUse::Command},
    Setting{"uploadpack", "packobjectshook", SettingUse::Command},
    Setting{"", "clean", SettingUse::Command},
    Setting{"", "smudge", SettingUse::Command},
    Setting{"", "process", SettingUse::Command},
    Setting{"", "driver", SettingUse::Command},
    Setting{"", "textconv", SettingUse::Command},
    Setting{"", "helper", SettingUse::Command},
    Setting{"", "program", SettingUse::Command},
    Setting{"", "editor", SettingUse::Command},
    Setting{"", "pager", SettingUse::Command},
    Setting{"", "difffilter", SettingUse::Command},
    Setting{"", "cmd", SettingUse::Command},
};

// How a key ends whose value is a command: sshCommand, defaultKeyCommand, alternateRefsCommand,
// toCmd, ... also those of versions to come.
constexpr std::array<std::string_view, 3> kEnds = {"command", "cmd", "hook"};

}  // namespace

SettingUse use_of_setting(const GitConfigEntry& entry) {
  for (const Setting& setting : kSettings) {
    if ((setting.section.empty() || setting.section == entry.section) &&
        (setting.key.empty() || setting.key == entry.key)) {
      return setting.use;
    }
  }
  const bool ends = std::any_of(kEnds.begin(), kEnds.end(),
                                [&](std::string_view end) { return entry.key.ends_with(end); });
  // An alias, a credential helper or an update of a sub-module is a command behind '!'; an address
  // is one behind "ext::" (git-remote-ext(1)).
  const bool shell =
      entry.value && (entry.value->starts_with('!') || entry.value->starts_with("ext::"));
  return ends || shell ? SettingUse::Command : SettingUse::None;
}

std::vector<std::string> words_of_command(std::string_view text) {
  constexpr std::string_view kParts = " \t\r\n;|&()<>{}\"'`$=:,!";
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kParts), text.size());
    std::string_view word = text.substr(0, end);
    if (!word.empty() && word != "/" && word != ".") {
      words.emplace_back(word);
      if (word.size() > 2 && word.front() == '-') {
        words.emplace_back(word.substr(2));  // -Fpath
      }
      // "$(git rev-parse --show-toplevel)/x" and "$PWD/x"
      const std::size_t slash = word.find('/');
      if (slash != std::string_view::npos && slash + 1 < word.size()) {
        words.emplace_back(word.substr(slash + 1));
      }
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace shadow
