// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_rules.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sandbox/secrets/home_secrets.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// "token" in "github_token" and "tokens.txt", not in "tokenizer".
bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos;
       at = name.find(word, at + 1)) {
    std::string_view rest = name.substr(at + word.size());
    if (rest.starts_with('s')) {
      rest.remove_prefix(1);
    }
    if (rest.empty() || !is_letter_or_digit(rest.front())) {
      return true;
    }
  }
  return false;
}

bool is_copy(std::string_view ending) {
  constexpr std::array<std::string_view, 12> kEndings = {"~",     ".bak",  ".backup", ".old",
                                                         ".orig", ".save", ".tar",    ".tgz",
                                                         ".zip",  ".7z",   "-backup", ".gpg"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [ending](std::string_view one) { return ending.starts_with(one); });
}

using Views = std::vector<std::string_view>;

bool has(const Views& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

// The last components of those paths that lie in this directory.
Views names_in(const std::string& directory, const Views& paths) {
  Views names;
  for (const std::string_view path : paths) {
    if (const sys::SplitPath parts = sys::split_path(path); parts.parent == directory) {
      names.push_back(parts.name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Search {
 public:
  Search(int home, const std::vector<std::string>& masks, const std::string& keep)
      : home_{home}, keep_{keep}, masks_{masks.begin(), masks.end()}, known_{known_home_secrets()} {
    known_.insert(known_.end(), masks_.begin(), masks_.end());
  }

  RuleSecrets find() { return find_in(places()); }

  // The directories of all known names that nothing hides; most do not exist.
  [[nodiscard]] std::vector<std::string> places() const {
    Views parents{""};
    for (const std::string_view name : known_) {
      parents.push_back(sys::split_path(name).parent);
    }
    std::sort(parents.begin(), parents.end());
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
    parents.erase(std::remove_if(parents.begin(), parents.end(),
                                 [this](std::string_view parent) { return is_masked(parent); }),
                  parents.end());
    return {parents.begin(), parents.end()};
  }

  RuleSecrets find_in(const std::vector<std::string>& directories) {
    for (const std::string& directory : directories) {
      list(directory, place_of(directory));
    }
    for (const std::string& program : programs_) {
      list(program, Place::Program);
    }
    return {std::move(names_), {looked_.begin(), looked_.end()}};
  }

 private:
  // Where what lies in a directory belongs to: the user, many programs, or one.
  enum class Place : std::uint8_t { Top, Settings, Program, Other };

  static Place place_of(std::string_view directory) {
    constexpr std::array<std::string_view, 4> kSettings = {".config", ".local/share",
                                                           ".local/state", ".cache"};
    return directory.empty() ? Place::Top
           : std::find(kSettings.begin(), kSettings.end(), directory) != kSettings.end()
               ? Place::Settings
               : Place::Other;
  }

  void list(const std::string& directory, Place place) {
    const std::string name = directory.empty() ? "." : directory;
    struct stat st {};
    const bool exists = ::fstatat(home_, name.c_str(), &st, 0) == 0 && S_ISDIR(st.st_mode);
    const sys::Fd fd = exists ? sys::try_open_at(home_, name, O_RDONLY | O_DIRECTORY) : sys::Fd{};
    if (!fd) {
      look_above(directory);
      return;
    }
    if (place != Place::Program) {
      looked_.insert(directory);
    }
    const Views masked = names_in(directory, masks_);
    const Views known = names_in(directory, known_);
    for (const sys::DirEntry& entry : sys::list_dir(fd.get())) {
      const bool at_project =
          !keep_.empty() && is_at_or_below(keep_, sys::join_path(directory, entry.name));
      if (at_project || has(masked, entry.name)) {
        continue;
      }
      if (is_secret(known, entry, place)) {
        names_.push_back(sys::join_path(directory, entry.name));
      } else if (directory == ".config" && entry.type == DT_DIR) {
        programs_.push_back(sys::join_path(directory, entry.name));
      }
    }
  }

  // The directory in which a missing one would appear.
  void look_above(std::string_view directory) {
    while (!directory.empty()) {
      directory = sys::split_path(directory).parent;
      struct stat st {};
      const std::string above{directory};
      if (directory.empty() || ::fstatat(home_, above.c_str(), &st, 0) == 0) {
        looked_.insert(above);
        return;
      }
    }
  }

  static bool is_secret(const Views& known, const sys::DirEntry& entry, Place place) {
    const std::string& name = entry.name;
    if (has(known, name)) {
      return true;
    }
    if (place != Place::Program &&
        is_left_over(name, [&known](std::string_view other) { return has(known, other); })) {
      // At the top a name without a dot is the user's own: "mail" makes no secret of "mail-server".
      const std::size_t base = std::min(name.find_first_of("~.-"), name.size());
      return place != Place::Top || name.front() == '.' ||
             is_copy(std::string_view{name}.substr(base));
    }
    if (place == Place::Other) {
      return false;
    }
    const bool is_directory = entry.type == DT_DIR;
    const bool hidden = name.front() == '.';
    const bool own = place == Place::Top && !hidden;  // a file or directory of the user's own
    if (names_history(name) && !own && (!is_directory || hidden)) {
      return true;
    }
    return (names_secret(name) &&
            (!is_directory || (place == Place::Top && hidden) || place == Place::Settings)) ||
           (!is_directory && place != Place::Settings && is_secret_file(name, {}));
  }

  [[nodiscard]] bool is_masked(std::string_view directory) const {
    const auto above = [directory](std::string_view mask) {
      return is_at_or_below(directory, mask);
    };
    return std::any_of(masks_.begin(), masks_.end(), above) ||
           std::any_of(names_.begin(), names_.end(), above);
  }

  int home_;
  const std::string keep_;
  Views masks_;
  Views known_;  // of the list, and the masks
  std::set<std::string> looked_;
  std::vector<std::string> names_;
  std::vector<std::string> programs_;
};

}  // namespace

bool is_left_over(std::string_view name, const std::function<bool(std::string_view)>& is_known) {
  // An editor's swap file, lock or autosave has something before the name as well.
  for (const std::string_view before : {"", ".", ".#", "#"}) {
    if (!name.starts_with(before)) {
      continue;
    }
    const std::string_view rest = name.substr(before.size());
    for (std::size_t end = 1; end <= rest.size(); ++end) {
      const bool whole = end == rest.size();
      if ((whole ? !before.empty() : !is_letter_or_digit(rest[end])) &&
          is_known(rest.substr(0, end))) {
        return true;
      }
    }
  }
  return false;
}

bool names_history(std::string_view name) {
  const std::string small = lower_ascii(name);
  return small.find("history") != std::string::npos || small.ends_with("hist") ||
         small.ends_with("hst");
}

bool names_secret(std::string_view name) {
  constexpr std::array<std::string_view, 17> kWords = {
      "token",       "secret",  "password",      "passwd",     "passphrase", "credential",
      "apikey",      "api_key", "api-key",       "cookies",    "wallet",     "keystore",
      "private_key", "privkey", "recovery-code", "vault_pass", "htpasswd"};
  const std::string small = lower_ascii(name);
  return (small.front() == '.' && small.ends_with("coin")) ||
         std::any_of(kWords.begin(), kWords.end(),
                     [&small](std::string_view word) { return has_word(small, word); });
}

RuleSecrets secrets_by_rule(int home, const std::vector<std::string>& masks,
                            const std::string& keep) {
  return Search{home, masks, keep}.find();
}

std::vector<std::string> directories_of_rules(const std::vector<std::string>& masks) {
  return Search{-1, masks, {}}.places();
}

RuleSecrets secrets_by_rule_in(int home, const std::vector<std::string>& directories,
                               const std::vector<std::string>& masks, const std::string& keep) {
  return Search{home, masks, keep}.find_in(directories);
}

}  // namespace shadow::sandbox
