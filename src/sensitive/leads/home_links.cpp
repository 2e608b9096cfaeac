// SPDX-License-Identifier: MIT
#include "sensitive/leads/home_links.hpp"

#include "base/text.hpp"
#include "sensitive/names/script_words.hpp"
#include "sensitive/names/search_paths.hpp"
#include "sensitive/walk/real_path.hpp"
#include "sensitive/walk/user_file.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostHomeDirectories = 300;  // to list one takes 10 microseconds
constexpr std::size_t kMostStartFiles = 300;

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

// Files that a shell, an editor, a terminal, a debugger or an agent reads when it starts, and that
// can name programs: bash(1), zsh(1), vim(1), tmux(1), gdb(1), ssh_config(5), ...
constexpr std::array<std::string_view, 48> kStartFiles = {".bashrc",
                                                          ".bash_profile",
                                                          ".bash_login",
                                                          ".bash_logout",
                                                          ".profile",
                                                          ".zshrc",
                                                          ".zshenv",
                                                          ".zprofile",
                                                          ".zlogin",
                                                          ".zlogout",
                                                          ".kshrc",
                                                          ".xonshrc",
                                                          ".xprofile",
                                                          ".xinitrc",
                                                          ".xsession",
                                                          ".vimrc",
                                                          ".vim/vimrc",
                                                          ".gvimrc",
                                                          ".exrc",
                                                          ".config/nvim/init.vim",
                                                          ".config/nvim/init.lua",
                                                          ".emacs",
                                                          ".emacs.d/init.el",
                                                          ".config/emacs/init.el",
                                                          ".tmux.conf",
                                                          ".config/tmux/tmux.conf",
                                                          ".config/fish/config.fish",
                                                          ".bash_aliases",
                                                          ".config/direnv/direnvrc",
                                                          ".config/mise/config.toml",
                                                          ".gdbinit",
                                                          ".config/gdb/gdbinit",
                                                          ".lldbinit",
                                                          ".pdbrc",
                                                          ".irbrc",
                                                          ".Rprofile",
                                                          ".pylintrc",
                                                          ".ssh/config",
                                                          ".ssh/rc",
                                                          ".npmrc",
                                                          ".cargo/config.toml",
                                                          ".claude/settings.json",
                                                          ".codex/config.toml",
                                                          ".codex/hooks.json",
                                                          ".cursor/mcp.json",
                                                          ".gemini/settings.json",
                                                          ".config/Code/User/settings.json",
                                                          ".config/zed/settings.json"};

// Directories of such files: systemd.unit(5), programs of the desktop, fish(1).
constexpr std::array<std::string_view, 3> kStartDirectories = {
    ".config/systemd/user", ".config/autostart", ".config/fish/conf.d"};

// Directories of which everything is a command, or is read when a program starts. A project that is
// one, or lies in one, is obeyed as a whole.
constexpr std::array<std::string_view, 9> kObeyedWhole = {
    "bin", ".local/bin", ".config", ".vim", ".emacs.d", ".zsh", ".oh-my-zsh", ".bashrc.d", ".tmux"};

bool is_obeyed_whole(std::string_view path) {
  return std::any_of(kObeyedWhole.begin(), kObeyedWhole.end(),
                     [path](std::string_view one) { return is_at_or_below(path, one); });
}

class HomeSearch {
 public:
  HomeSearch(const std::string& home, const std::string& root, const LookAt& look)
      : home_{home}, root_{root}, look_{look} {}

  std::vector<NamedPath> find(const std::string& path) {
    for (const std::string_view name : kObeyedWhole) {
      add_place(std::string{name});
    }
    list("", 0, true);
    for (const Place& place : kPlaces) {
      list(std::string{place.name}, place.levels, false);
    }
    for (const std::string_view file : kStartFiles) {
      read_start_file(sys::join_path(home_, file), "~/" + std::string{file});
    }
    for (const std::string_view directory : kStartDirectories) {
      read_start_files_in(std::string{directory});
    }
    for (const std::string& directory : split(path, ':')) {
      add_entry_of_path(directory);
    }
    return std::move(found_);
  }

 private:
  void add_place(const std::string& name) {
    const std::string place = sys::join_path(home_, name);
    const std::string real = real_path_of(place);
    add_links_to(place, "~/" + name + " is it, which programs obey");
    if (is_at_or_below(root_, real) && !real.empty()) {
      found_.push_back({"", "the project is in ~/" + name + ", which programs obey", true, false});
    } else {
      add(real, "~/" + name + " is it, which programs obey", true);
    }
  }

  void list(const std::string& directory, int levels, bool dots_alone) {
    if (++listed_ > kMostHomeDirectories) {
      return;
    }
    const sys::Fd fd =
        sys::try_open_at(AT_FDCWD, sys::join_path(home_, directory), O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      const std::string path = sys::join_path(directory, entry.name);
      if (entry.type == DT_LNK && (!dots_alone || entry.name.front() == '.')) {
        add_link(path);
      } else if (entry.type == DT_DIR && levels > 0) {
        list(path, levels - 1, false);
      }
    }
  }

  void add_link(const std::string& path) {
    const std::string link = sys::join_path(home_, path);
    const std::string real = real_path_of(link);
    const std::string reason = "~/" + path + " is a link to it";
    add_links_to(link, reason);
    if (is_obeyed_whole(path) && is_at_or_below(root_, real) && !real.empty()) {
      found_.push_back({"", reason, true, false});
    } else {
      add(real, reason, true);
    }
  }

  void read_start_files_in(const std::string& directory) {
    const sys::Fd fd =
        sys::try_open_at(AT_FDCWD, sys::join_path(home_, directory), O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      const std::string path = sys::join_path(directory, entry.name);
      read_start_file(sys::join_path(home_, path), "~/" + path);
    }
  }

  // Files of the home that it names are read in turn, unless they belong to the project.
  void read_start_file(const std::string& file, const std::string& name) {
    if (read_.size() >= kMostStartFiles || !read_.insert(file).second) {
      return;
    }
    const std::string text = text_of_user_file(file);
    for (const std::string& line : split(text, '\n')) {
      if (puts_on_path(line)) {
        for (const std::string& entry : relative_entries(line)) {
          add_anywhere(entry, name + " has it on a path");
        }
      }
    }
    for (const Mention& one : mentions_in(text, TextKind::Script)) {
      std::string path = one.path;
      if (path.starts_with("HOME/")) {
        path.replace(0, 4, "~");
      }
      if (path.find('/') == std::string::npos || one.python_path) {
        continue;
      }
      path = with_home(path, home_);
      path = path.starts_with('/') ? path : sys::join_path(home_, path);
      const std::string real = real_path_of(path);
      add_links_to(path, name + " names it");
      if (is_at_or_below(root_, real) && one.below && !one.of_variable && !real.empty()) {
        found_.push_back({"", name + " names it", true, false});
      }
      add(real, name + " names it", one.below, one.if_fresh);
      if (is_at_or_below(real, home_) && !is_at_or_below(real, root_)) {
        read_start_file(real, name);
      }
    }
  }

  void add_entry_of_path(const std::string& directory) {
    if (directory.starts_with('/')) {
      const std::string real = real_path_of(directory);
      add_links_to(directory, "it is on your PATH");
      if (real == root_) {
        found_.push_back({"", "it is on your PATH", true, false});
      }
      add(real, "it is on your PATH", true);
      return;
    }
    for (const std::string& entry : relative_entries(directory)) {
      add_anywhere(entry, "it is on your PATH");
    }
  }

  void add_anywhere(const std::string& path, const std::string& reason) {
    NamedPath named{path, reason, true, false};
    named.in_any_directory = true;
    found_.push_back(std::move(named));
  }

  void add(const std::string& path, const std::string& reason, bool below, bool if_fresh = false) {
    if (is_at_or_below(path, root_) && path.size() > root_.size()) {
      found_.push_back({path.substr(root_.size() + 1), reason, below, false});
      found_.back().if_fresh = if_fresh;
    }
  }

  // The project's own links on the way to what an absolute path leads to.
  void add_links_to(const std::string& path, const std::string& reason) {
    for (const std::string& link : walk_link_back("", path, root_, look_).links) {
      found_.push_back({link, reason, false, false});
    }
  }

  const std::string& home_;
  const std::string& root_;
  const LookAt& look_;
  std::size_t listed_ = 0;
  std::set<std::string> read_;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> paths_obeyed_in_home(const std::string& home, const std::string& path,
                                            const std::string& root, const LookAt& look) {
  return home.empty() ? std::vector<NamedPath>{} : HomeSearch{home, root, look}.find(path);
}

}  // namespace shadow::sensitive
