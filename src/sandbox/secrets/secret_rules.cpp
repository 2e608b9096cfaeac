// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_rules.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sandbox/secrets/home_secrets.hpp"
#include "sandbox/secrets/known_places.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

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

// True if a copy's ending occurs anywhere after the first letter: "wallet.dat.bak", "mail.tar.gz".
bool is_copy(std::string_view name) {
  constexpr std::array<std::string_view, 17> kEndings = {
      "~",   ".bak", ".backup", ".old", ".orig",   ".save", ".tar", ".tgz", ".zip",
      ".7z", ".gpg", "-backup", "-bak", "_backup", "_bak",  "-old", "_old"};
  return std::any_of(kEndings.begin(), kEndings.end(), [name](std::string_view ending) {
    return name.find(ending, 1) != std::string_view::npos;
  });
}

// "server.key" of "server.key.bak" and ".server.key.swp"; the name itself when it is no copy.
std::string_view copied_from(std::string_view name) {
  constexpr std::array<std::string_view, 6> kEndings = {"~",    ".bak",  ".backup",
                                                        ".old", ".orig", ".save"};
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  constexpr std::string_view kSwap = ".swp";
  if (name.size() > kSwap.size() + 1 && name.starts_with('.') && name.ends_with(kSwap)) {
    return name.substr(1, name.size() - kSwap.size() - 1);
  }
  return name;
}

// Names that begin with a known one and belong to another program: completions of the shell, the
// remote side of an editor.
bool is_program_beside(std::string_view name) {
  return name.ends_with("-completion") || name.ends_with("-completions") ||
         name.ends_with("-server");
}

// Programs whose data and caches contain code or input of builds: only their settings are secret.
bool is_toolchain(std::string_view name) {
  constexpr std::array<std::string_view, 10> kToolchains = {
      "JetBrains", "dfx", "firebase", "gh", "heroku", "hex", "npm", "puppeteer", "solana", "sui"};
  return std::find(kToolchains.begin(), kToolchains.end(), name) != kToolchains.end();
}

// Until 2020 JetBrains' programs kept settings and their password store in "~/.PyCharm2019.3".
bool is_old_ide(std::string_view name) {
  constexpr std::array<std::string_view, 12> kIdes = {
      ".AndroidStudio", ".AppCode",  ".CLion",   ".DataGrip", ".GoLand",   ".IdeaIC",
      ".IntelliJIdea",  ".PhpStorm", ".PyCharm", ".Rider",    ".RubyMine", ".WebStorm"};
  return std::any_of(kIdes.begin(), kIdes.end(), [name](std::string_view one) {
    if (!name.starts_with(one)) {
      return false;
    }
    const std::string_view rest = name.substr(one.size());
    return rest.find_first_of("0123456789") != std::string_view::npos;
  });
}

// A file that is a key or a login of something: "~/deploy_key", "auth.json" of a program.
bool names_login(std::string_view name) {
  constexpr std::array<std::string_view, 9> kFiles = {"auth.json", "auth.toml", "auth.yml",
                                                      "auth.yaml", "auth.ini",  "auth.db",
                                                      ".auth",     "oauth",     "oauth2"};
  constexpr std::array<std::string_view, 4> kKeys = {"_key", "-key", "_pat", "-pat"};
  const auto ends = [name](std::string_view ending) { return name.ends_with(ending); };
  return std::any_of(kFiles.begin(), kFiles.end(), ends) ||
         std::any_of(kKeys.begin(), kKeys.end(), ends);
}

std::vector<std::string_view> all_known(const std::vector<std::string_view>& masks) {
  std::vector<std::string_view> known = known_home_secrets();
  known.insert(known.end(), masks.begin(), masks.end());
  return known;
}

class Search {
 public:
  Search(int home, const std::vector<std::string>& masks, std::string keep)
      : home_{home},
        keep_{std::move(keep)},
        masks_{masks.begin(), masks.end()},
        masked_{masks_},
        known_{all_known(masks_)} {}

  RuleSecrets find() { return find_in(places()); }

  // The directories of all known names that nothing hides; most do not exist.
  [[nodiscard]] std::vector<std::string> places() const {
    std::vector<std::string> parents = known_.directories();
    std::erase_if(parents, [this](const std::string& parent) { return is_masked(parent); });
    return parents;
  }

  RuleSecrets find_in(const std::vector<std::string>& directories) {
    for (const std::string& directory : directories) {
      list(directory, place_in(directory));
    }
    return find_in_the_rest();
  }

  RuleSecrets find_in_programs(const std::vector<std::string>& programs) {
    for (const std::string& directory : programs) {
      list(directory, Place::Program);
    }
    return find_in_the_rest();
  }

 private:
  // The owner of a directory's entries: the user, many programs, or one.
  enum class Place : std::uint8_t { Top, Settings, Program, Other };

  RuleSecrets find_in_the_rest() {
    while (!left_.empty()) {
      const auto [directory, place] = std::move(left_.back());
      left_.pop_back();
      list(directory, place);
    }
    return {
        std::move(names_), {looked_.begin(), looked_.end()}, {programs_.begin(), programs_.end()}};
  }

  static Place place_of(std::string_view directory) {
    constexpr std::array<std::string_view, 4> kSettings = {".config", ".local/share",
                                                           ".local/state", ".cache"};
    return directory.empty() ? Place::Top
           : std::find(kSettings.begin(), kSettings.end(), directory) != kSettings.end()
               ? Place::Settings
               : Place::Other;
  }

  // Of a copy, the place of what it is a copy of.
  [[nodiscard]] Place place_in(const std::string& directory) const {
    const std::string original = known_.original_of(directory);
    return original != directory && is_program(original) ? Place::Program : place_of(original);
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
    const std::string original = known_.original_of(directory);
    const bool of_program = place == Place::Program && original == directory;
    (of_program ? programs_ : looked_).insert(directory);
    const SortedNames& masked = masked_.names_of(directory);
    const SortedNames& known = known_.names_of(original);
    for (const sys::DirEntry& entry : sys::list_dir(fd.get())) {
      const bool at_project =
          !keep_.empty() && is_at_or_below(keep_, sys::join_path(directory, entry.name));
      if (at_project || has_name(masked, entry.name)) {
        continue;
      }
      std::string path = sys::join_path(directory, entry.name);
      if (is_secret(known, entry, place) || is_elsewhere(directory, entry)) {
        if (std::find(names_.begin(), names_.end(), path) == names_.end()) {
          names_.push_back(std::move(path));
        }
      } else if (entry.type == DT_DIR && known_.is_copy(path)) {
        left_.emplace_back(path, place_in(path));
      } else if (entry.type == DT_DIR && place != Place::Program &&
                 is_program(sys::join_path(original, entry.name))) {
        left_.emplace_back(std::move(path), Place::Program);
      }
    }
  }

  // Directories of one program each: of settings, data and state, and the hidden ones of old.
  static bool is_program(std::string_view path) {
    const std::string_view parent = sys::split_path(path).parent;
    return parent.empty()
               ? path.front() == '.' && path != ".config" && path != ".local" && path != ".cache"
               : place_of(parent) == Place::Settings && parent != ".cache";
  }

  // A program whose settings are known has its mail, its pages and its keys in these as well.
  [[nodiscard]] bool is_elsewhere(std::string_view directory, const sys::DirEntry& entry) const {
    const bool beside = directory == ".cache" || directory == ".local/share" ||
                        directory == ".local/state" || directory == "snap";
    return beside && entry.type == DT_DIR && has_name(known_.names_of(".config"), entry.name) &&
           (directory == "snap" || !is_toolchain(entry.name));
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

  static bool is_secret(const SortedNames& known, const sys::DirEntry& entry, Place place) {
    const std::string& name = entry.name;
    if (has_name(known, name)) {
      return true;
    }
    if (place == Place::Top && is_old_ide(name)) {
      return true;
    }
    const auto is_known = [&known](std::string_view other) { return has_name(known, other); };
    if (place != Place::Program && !is_program_beside(name) && is_left_over(name, is_known)) {
      // At the top a name without a dot is the user's own: "mail" makes no secret of "mail-server".
      return place != Place::Top || name.front() == '.' || is_copy(name);
    }
    if (place == Place::Top && name.front() != '.' && is_copy(name) &&
        is_left_over('.' + name, is_known)) {
      return true;  // "ssh-backup"
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
    return (names_secret(name) && (!is_directory || !own)) ||
           (!is_directory && (names_login(name) ||
                              (place != Place::Settings && is_secret_file(copied_from(name), {}))));
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
  const std::vector<std::string_view> masks_;
  const KnownPlaces masked_;
  const KnownPlaces known_;  // of the list, and the masks
  std::set<std::string> looked_;
  std::set<std::string> programs_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, Place>> left_;  // to be listed
};

}  // namespace

bool names_history(std::string_view name) {
  const std::string small = lower_ascii(name);
  return small.find("history") != std::string::npos || small.ends_with("hist") ||
         small.ends_with("hst");
}

bool names_secret(std::string_view name) {
  constexpr std::array kWords = std::to_array<std::string_view>(
      {"token",      "secret",        "password",   "passwd",     "passphrase", "passcode",
       "credential", "cred",          "apikey",     "api_key",    "api-key",    "accesskey",
       "access_key", "access-key",    "cookie",     "wallet",     "keystore",   "private_key",
       "privatekey", "private-key",   "privkey",    "rootkey",    "mnemonic",   "seed-phrase",
       "seedphrase", "recovery-code", "vault_pass", "vault-pass", "htpasswd"});
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

RuleSecrets secrets_in_programs(int home, const std::vector<std::string>& programs,
                                const std::vector<std::string>& masks, const std::string& keep) {
  return Search{home, masks, keep}.find_in_programs(programs);
}

}  // namespace shadow::sandbox
