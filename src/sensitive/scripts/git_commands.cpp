// SPDX-License-Identifier: MIT
#include "sensitive/scripts/git_commands.hpp"

#include "base/text.hpp"
#include "sensitive/scripts/quoted_text.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace shadow::sensitive {

namespace {

struct GitSetting {
  std::string_view section;  // "": any
  std::string_view key;
  SettingUse use;
};

// From git-config(1) of git 2.51, and the manuals that it sends one to. A subsection is not looked
// at: it is the user's own word.
constexpr std::array kSettings = {
    GitSetting{"core", "hookspath", SettingUse::Hooks},
    GitSetting{"init", "templatedir", SettingUse::Template},
    GitSetting{"core", "attributesfile", SettingUse::Attributes},
    // git-flow of petervanderdoes
    GitSetting{"gitflow", "hooks", SettingUse::Hooks},
    // Whose signatures and servers are believed, and with which key the user is known to them.
    GitSetting{"gpg", "allowedsignersfile", SettingUse::Trusted},
    GitSetting{"gpg", "revocationfile", SettingUse::Trusted},
    GitSetting{"http", "sslcainfo", SettingUse::Trusted},
    GitSetting{"http", "sslcapath", SettingUse::Trusted},
    GitSetting{"http", "sslcert", SettingUse::Trusted},
    GitSetting{"http", "sslkey", SettingUse::Trusted},
    GitSetting{"http", "proxysslcainfo", SettingUse::Trusted},
    GitSetting{"http", "proxysslcert", SettingUse::Trusted},
    GitSetting{"http", "proxysslkey", SettingUse::Trusted},
    GitSetting{"http", "pinnedpubkey", SettingUse::Trusted},
    GitSetting{"sendemail", "smtpsslcertpath", SettingUse::Trusted},
    GitSetting{"core", "fsmonitor", SettingUse::Command},
    GitSetting{"core", "gitproxy", SettingUse::Command},
    GitSetting{"core", "askpass", SettingUse::Command},
    GitSetting{"diff", "external", SettingUse::Command},
    GitSetting{"difftool", "path", SettingUse::Command},
    GitSetting{"mergetool", "path", SettingUse::Command},
    GitSetting{"man", "path", SettingUse::Command},
    GitSetting{"browser", "path", SettingUse::Command},
    GitSetting{"instaweb", "httpd", SettingUse::Command},
    GitSetting{"pager", "", SettingUse::Command},
    GitSetting{"imap", "tunnel", SettingUse::Command},
    // git-lfs-config(5)
    GitSetting{"lfs", "path", SettingUse::Command},
    GitSetting{"lfs", "args", SettingUse::Command},
    GitSetting{"remote", "uploadpack", SettingUse::Command},
    GitSetting{"remote", "receivepack", SettingUse::Command},
    GitSetting{"remote", "vcs", SettingUse::Command},
    GitSetting{"sendemail", "smtpserver", SettingUse::Command},
    GitSetting{"uploadpack", "packobjectshook", SettingUse::Command},
    GitSetting{"", "clean", SettingUse::Command},
    GitSetting{"", "smudge", SettingUse::Command},
    GitSetting{"", "process", SettingUse::Command},
    GitSetting{"", "driver", SettingUse::Command},
    GitSetting{"", "textconv", SettingUse::Command},
    GitSetting{"", "helper", SettingUse::Command},
    GitSetting{"", "program", SettingUse::Command},
    GitSetting{"", "editor", SettingUse::Command},
    GitSetting{"", "pager", SettingUse::Command},
    GitSetting{"", "difffilter", SettingUse::Command},
    GitSetting{"", "cmd", SettingUse::Command},
};

// Endings of keys whose value is a command: sshCommand, defaultKeyCommand, alternateRefsCommand,
// toCmd, ... also those of versions to come.
constexpr std::array<std::string_view, 3> kEnds = {"command", "cmd", "hook"};

// userdiff.c and merge-ll.c of git 2.51.
constexpr std::array<std::string_view, 27> kDiffDrivers = {
    "ada",     "bash",     "bibtex", "cpp",  "csharp", "css",  "default", "dts",      "elixir",
    "fortran", "fountain", "golang", "html", "ini",    "java", "kotlin",  "markdown", "matlab",
    "objc",    "pascal",   "perl",   "php",  "python", "ruby", "rust",    "scheme",   "tex"};
constexpr std::array<std::string_view, 3> kMergeDrivers = {"text", "binary", "union"};

}  // namespace

bool is_driver_of_git(std::string_view section, std::string_view name) {
  return section == "diff"
             ? std::find(kDiffDrivers.begin(), kDiffDrivers.end(), name) != kDiffDrivers.end()
             : section == "merge" && std::find(kMergeDrivers.begin(), kMergeDrivers.end(), name) !=
                                         kMergeDrivers.end();
}

bool defines_driver_of_git(const GitConfigEntry& entry) {
  return entry.subsection && is_driver_of_git(entry.section, *entry.subsection) &&
         use_of_setting(entry) == SettingUse::Command;
}

SettingUse use_of_setting(const GitConfigEntry& entry) {
  for (const GitSetting& setting : kSettings) {
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

std::vector<std::string> words_in_any_reading(std::string_view text) {
  std::vector<std::string> words = words_of_command(text);
  if (text.find('\n') == std::string_view::npos) {
    words.emplace_back(text);
  }
  std::unordered_set<std::string> known(words.begin(), words.end());
  for (const std::string& reading : quoted_readings(text)) {
    for (std::string& word : words_of_command(reading)) {
      word = without_stand_ins(std::move(word));
      if (known.insert(word).second) {
        words.push_back(std::move(word));
      }
    }
  }
  return words;
}

}  // namespace shadow::sensitive
