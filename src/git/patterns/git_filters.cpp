// SPDX-License-Identifier: MIT
#include "git/patterns/git_filters.hpp"

#include "shadow/error.hpp"

#include "base/git_config_text.hpp"
#include "base/text.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include <sys/stat.h>

namespace shadow::git {
namespace {

constexpr std::uint64_t kMostOfAttributes = 4U << 20U;
constexpr std::string_view kBlank = " \t\r";
constexpr std::array<std::string_view, 3> kWords = {"filter", "working-tree-encoding", "ident"};

bool names_conversion(std::string_view attributes) {
  return std::any_of(kWords.begin(), kWords.end(), [attributes](std::string_view word) {
    return attributes.find(word) != std::string_view::npos;
  });
}

// nullopt when there is a file that cannot be read. Symlinks are followed: people use them for
// their dot files.
std::optional<std::string> read_if_any(const std::string& path) {
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  if (!fd) {
    return errno == ENOENT || errno == ENOTDIR ? std::optional{std::string{}} : std::nullopt;
  }
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return std::nullopt;
  }
  try {
    return sys::read_all(fd.get(), kMostOfAttributes);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// True if a configuration, or one that it includes, may name an attributes file. `missing` is the
// answer for a configuration that does not exist. Nested
// includes count against the budget, whatever their conditions.
bool may_name_attributes(const std::string& path, const std::string& home, bool missing,
                         int& budget) {
  const auto text = read_if_any(path);
  if (!text || --budget < 0) {
    return true;
  }
  if (text->empty()) {
    return missing;
  }
  const std::string directory = path.substr(0, path.rfind('/') + 1);
  const auto names_attributes = [&](const GitConfigEntry& entry) {
    if (entry.section == "core") {
      return entry.key == "attributesfile";
    }
    if ((entry.section != "include" && entry.section != "includeif") || entry.key != "path" ||
        entry.value.value_or("").empty()) {
      return false;
    }
    std::string place = *entry.value;
    if (place.front() == '~') {
      place.replace(0, 1, home);
    } else if (place.front() != '/') {
      place.insert(0, directory);
    }
    return may_name_attributes(place, home, true, budget);
  };
  const GitConfigText config = parse_git_config_text(*text);
  return !config.whole ||
         std::any_of(config.entries.begin(), config.entries.end(), names_attributes);
}

}  // namespace

void FilterRules::add(const std::string& directory, std::string_view text) {
  Rules rules;
  rules.directory = directory;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(kBlank);
    if (begin == std::string_view::npos || line[begin] == '#' || !names_conversion(line)) {
      continue;
    }
    line.remove_prefix(begin);
    const std::size_t blank = std::min(line.find_first_of(kBlank), line.size());
    if (!names_conversion(line.substr(blank)) && line.front() != '[' && line.front() != '"') {
      continue;  // the word is the pattern's own
    }
    // A pattern in quotes has escapes, and a macro may be used by any line.
    auto pattern = line.front() == '[' || line.front() == '"'
                       ? std::nullopt
                       : IgnorePattern::parse(line.substr(0, blank));
    if (pattern) {
      rules.patterns.push_back(*std::move(pattern));
    } else {
      rules.everything = true;
    }
  }
  if (rules.everything || !rules.patterns.empty()) {
    rules_.push_back(std::move(rules));
  }
}

void FilterRules::add_unknown(const std::string& directory) {
  rules_.push_back({directory, true, {}});
}

void FilterRules::leave_for(std::string_view path) {
  while (!rules_.empty() && !is_at_or_below(path, rules_.back().directory)) {
    rules_.pop_back();
  }
}

bool FilterRules::may_convert(std::string_view path) const {
  return std::any_of(rules_.begin(), rules_.end(), [path](const Rules& rules) {
    if (!is_at_or_below(path, rules.directory)) {
      return false;
    }
    const std::string_view inside =
        rules.directory.empty() ? path : path.substr(rules.directory.size() + 1);
    return rules.everything || std::any_of(rules.patterns.begin(), rules.patterns.end(),
                                           [inside](const IgnorePattern& pattern) {
                                             return pattern.matches(inside, false);
                                           });
  });
}

void add_outside_rules(const std::string& git_dir, const std::string& common_dir,
                       FilterRules& rules) {
  const std::string home = sys::environment("HOME").value_or("");
  const std::string xdg = sys::user_config_dir(home);
  for (const std::string& path : {common_dir + "/info/attributes", xdg + "/git/attributes",
                                  std::string{"/etc/gitattributes"}}) {
    if (const auto text = read_if_any(path)) {
      rules.add("", *text);
    } else {
      rules.add_unknown("");
    }
  }
  std::vector<std::string> configs = {common_dir + "/config", git_dir + "/config.worktree",
                                      home + "/.gitconfig", xdg + "/git/config", "/etc/gitconfig"};
  for (const char* name : {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"}) {
    if (auto path = sys::environment(name)) {
      configs.push_back(*std::move(path));
    }
  }
  int budget = 64;  // files
  for (const std::string& path : configs) {
    if (may_name_attributes(path, home, false, budget)) {
      rules.add_unknown("");
      return;
    }
  }
}

}  // namespace shadow::git
