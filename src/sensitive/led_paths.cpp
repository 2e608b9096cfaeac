// SPDX-License-Identifier: MIT
#include "sensitive/led_paths.hpp"

#include "base/text.hpp"
#include "sensitive/folded_name.hpp"
#include "sensitive/git_commands.hpp"
#include "sensitive/sensitive_names.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostLeadingFiles = 300;
constexpr std::size_t kMostWordsOfAFile = 2000;  // of one file

// "PATH_add bin", "export PATH=$PWD/bin:$PATH", "_.path = [...]"; not "PYTHONPATH=src".
bool puts_on_path(std::string_view line) {
  if (line.find("_.path") != std::string_view::npos) {
    return true;
  }
  constexpr std::string_view kPath = "PATH";
  for (std::size_t at = line.find(kPath); at != std::string_view::npos;
       at = line.find(kPath, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool inside = (before >= 'A' && before <= 'Z') || before == '_';
    const std::string_view behind = line.substr(at + kPath.size());
    if (!inside && (behind.starts_with("_add") || behind.starts_with("="))) {
      return true;
    }
  }
  return false;
}

class Leads {
 public:
  explicit Leads(const LedTrees& trees) : trees_{trees} {}

  void read(const std::string& file) {
    const LeadingName* rule = find_leading_name(folded_name(file));
    const auto text = trees_.read(file);
    if (rule == nullptr || !text) {
      return;
    }
    std::size_t words = 0;
    for (const std::string& line : split(*text, '\n')) {
      const bool on_path = rule->words && puts_on_path(line);
      for (std::string& word : words_of(line, rule->words)) {
        if (++words > kMostWordsOfAFile) {
          return;
        }
        take(file, std::move(word), on_path);
      }
    }
  }

  std::vector<NamedPath> result() { return std::move(found_); }

 private:
  static std::vector<std::string> words_of(const std::string& line, bool all) {
    std::vector<std::string> words = words_of_command(line);
    if (!all) {
      words.erase(std::remove_if(
                      words.begin(), words.end(),
                      [](const std::string& word) { return word.find('/') == std::string::npos; }),
                  words.end());
      return words;
    }
    // direnv-stdlib(1): what `use flake` and `use nix` read.
    const auto has = [&words](std::string_view word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (has("use") && has("flake")) {
      words.insert(words.end(), {"flake.nix", "flake.lock"});
    }
    if (has("use") && has("nix")) {
      words.insert(words.end(), {"shell.nix", "default.nix"});
    }
    return words;
  }

  void take(const std::string& file, std::string word, bool on_path) {
    while (word.starts_with("./")) {
      word.erase(0, 2);
    }
    if (word.empty() || word == "." || word.starts_with('/')) {
      return;
    }
    for (std::string_view directory = sys::split_path(file).parent;;
         directory = sys::split_path(directory).parent) {
      // ".." on the way, and links, are walked as the kernel does.
      const LinkWalk walk = walk_link(std::string{directory}, word, "/", trees_.in_project);
      if (walk.inside() && !walk.end.empty() && add(file, walk.end, on_path)) {
        return;
      }
      if (directory.empty()) {
        return;
      }
    }
  }

  // Whether there is something of that name: nothing further up is looked for then.
  bool add(const std::string& file, const std::string& path, bool on_path) {
    const Entry now = trees_.in_project(path);
    const Entry then = now.exists() ? now : trees_.in_view(path);
    if (!then.exists()) {
      return false;
    }
    const bool directory = then.kind == EntryKind::Directory;
    if ((!directory || on_path) && seen_.insert(path).second) {
      found_.push_back({path, "the project's " + file + " names it", directory, false});
    }
    return true;
  }

  const LedTrees& trees_;
  std::set<std::string> seen_;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> paths_led_to(const std::vector<std::string>& files, const LedTrees& trees) {
  Leads leads{trees};
  for (std::size_t i = 0; i < std::min(files.size(), kMostLeadingFiles); ++i) {
    leads.read(files[i]);
  }
  return leads.result();
}

}  // namespace shadow::sensitive
