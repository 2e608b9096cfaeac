// SPDX-License-Identifier: MIT
#include "sensitive/home_links.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sensitive/git_commands.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostHomeDirectories = 300;  // to list one takes 10 microseconds

// Directories of the home that are looked through, and how many levels below them as well.
struct Place {
  std::string_view name;
  int levels;
};
constexpr std::array kPlaces = {
    Place{".config", 3}, Place{".local/bin", 0}, Place{"bin", 0},   Place{".local/share", 2},
    Place{".ssh", 0},    Place{".emacs.d", 1},   Place{".vim", 2},  Place{".bashrc.d", 0},
    Place{".claude", 1}, Place{".codex", 1},     Place{".git", 1},  Place{".gnupg", 0},
    Place{".zsh", 1},    Place{".oh-my-zsh", 1}, Place{".tmux", 1}, Place{".docker", 0},
    Place{".cargo", 0},  Place{".gradle", 0},    Place{".m2", 0},   Place{".ipython", 2},
};

// What a shell, an editor or a terminal reads when it starts: bash(1), zsh(1), vim(1), tmux(1), ...
constexpr std::array<std::string_view, 16> kStartFiles = {".bashrc",
                                                          ".bash_profile",
                                                          ".bash_login",
                                                          ".profile",
                                                          ".zshrc",
                                                          ".zshenv",
                                                          ".zprofile",
                                                          ".zlogin",
                                                          ".vimrc",
                                                          ".exrc",
                                                          ".config/nvim/init.vim",
                                                          ".config/nvim/init.lua",
                                                          ".emacs",
                                                          ".tmux.conf",
                                                          ".config/fish/config.fish",
                                                          ".bash_aliases"};

class HomeSearch {
 public:
  HomeSearch(const std::string& home, const std::string& root) : home_{home}, root_{root} {}

  std::vector<NamedPath> find() {
    list("", 0, true);
    for (const Place& place : kPlaces) {
      list(std::string{place.name}, place.levels, false);
    }
    for (const std::string_view file : kStartFiles) {
      read_start_file(std::string{file});
    }
    return std::move(found_);
  }

 private:
  void list(const std::string& directory, int levels, bool dots_alone) {
    if (++listed_ > kMostHomeDirectories) {
      return;
    }
    const sys::Fd fd =
        sys::try_open_at(AT_FDCWD, sys::join_path(home_, directory), O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      const std::string path = sys::join_path(directory, entry.name);
      if (entry.type == DT_LNK && (!dots_alone || entry.name.front() == '.')) {
        add(real_path(sys::join_path(home_, path)), "~/" + path + " is a link to it", true);
      } else if (entry.type == DT_DIR && levels > 0) {
        list(path, levels - 1, false);
      }
    }
  }

  void read_start_file(const std::string& name) {
    for (const std::string& word : words_of_command(text_of(sys::join_path(home_, name)))) {
      if (word.find('/') == std::string::npos) {
        continue;
      }
      const std::string path = word.starts_with("~/")  ? home_ + word.substr(1)
                               : word.starts_with('/') ? word
                                                       : sys::join_path(home_, word);
      add(real_path(path), "~/" + name + " names it", false);
    }
  }

  void add(const std::string& path, const std::string& reason, bool below) {
    if (is_at_or_below(path, root_) && path.size() > root_.size()) {
      found_.push_back({path.substr(root_.size() + 1), reason, below, false});
    }
  }

  static std::string real_path(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                           &std::free};
    return real ? real.get() : "";
  }

  static std::string text_of(const std::string& path) {
    constexpr std::uint64_t kMostOfAStartFile = 1U << 20U;
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
    struct stat st {};
    if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
      return {};
    }
    try {
      return sys::read_all(fd.get(), kMostOfAStartFile);
    } catch (const Error&) {
      return {};
    }
  }

  const std::string& home_;
  const std::string& root_;
  std::size_t listed_ = 0;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> paths_obeyed_in_home(const std::string& home, const std::string& root) {
  return home.empty() ? std::vector<NamedPath>{} : HomeSearch{home, root}.find();
}

}  // namespace shadow::sensitive
