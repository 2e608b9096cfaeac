// SPDX-License-Identifier: MIT
#include "sensitive/leads/git_named.hpp"

#include "shadow/error.hpp"

#include "base/git_config_text.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "sensitive/names/git_commands.hpp"
#include "sensitive/walk/real_path.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

constexpr std::uint64_t kMostText = 1U << 20U;
constexpr int kMostFiles = 64;  // configurations that include each other, hooks

std::string read_if_file(const std::string& path) {
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  struct stat st {};
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return {};
  }
  try {
    return sys::read_all(fd.get(), kMostText);
  } catch (const Error&) {
    return {};
  }
}

class Collector {
 public:
  Collector(const GitSetup& setup, const LookAt& look) : setup_{setup}, look_{look} {}

  NamedByGit collect() {
    if (setup_.real) {
      read_config(setup_.real->common + "/config", true);
      read_config(setup_.real->dir + "/config.worktree", true);
      add_hooks(setup_.real->common + "/hooks");
      // Each may be a link into the project.
      add_place(setup_.real->common + "/hooks", "git runs it (a hook)", true);
      add_place(setup_.real->common + "/info", "git obeys it", true);
      add_place(setup_.real->common + "/info/attributes", "git obeys it", false);
      add_place(setup_.real->common + "/config", "git reads its configuration from it", false);
      add_place(setup_.real->dir + "/config.worktree", "git reads its configuration from it",
                false);
    }
    for (const std::string& file : setup_.user_files) {
      add_place(file, "git reads its configuration from it", false);
      read_config(file, false);
    }
    return {std::move(found_), std::move(texts_)};
  }

 private:
  void read_config(const std::string& file, bool of_project) {
    if (++files_ > kMostFiles || !read_.insert(file).second) {
      return;
    }
    for (const GitConfigEntry& entry : parse_git_config_text(read_if_file(file)).entries) {
      if (entry.value && !entry.value->empty()) {
        take(entry, file, of_project);
      }
    }
  }

  void take(const GitConfigEntry& entry, const std::string& file, bool of_project) {
    const std::string& value = *entry.value;
    if ((entry.section == "include" || entry.section == "includeif") && entry.key == "path") {
      const std::string included = absolute(value, file.substr(0, file.rfind('/')));
      add_place(included, "git reads its configuration from it", false);
      read_config(included, of_project);
      return;
    }
    if (const auto& address = entry.subsection;
        entry.section == "url" && address && address->starts_with("ext::")) {
      add_command(*address, entry);  // it takes the place of what the value says
    }
    switch (use_of_setting(entry)) {
      case SettingUse::Hooks:
        add_tree(value, of_project, "git runs it (core.hooksPath)");
        add_hooks(absolute(value, setup_.top));
        break;
      case SettingUse::Template:
        add_tree(value, of_project, "git copies it into new repositories (init.templateDir)");
        break;
      case SettingUse::Attributes:
        add_place(absolute(value, setup_.top), "git obeys it (core.attributesFile)", false);
        break;
      case SettingUse::Command:
        add_command(value, entry);
        break;
      case SettingUse::None:
        break;
    }
  }

  void add_command(const std::string& command, const GitConfigEntry& entry) {
    const std::string reason = "git runs it (" + entry.section + "." + entry.key + ")";
    texts_.push_back({command, {inside_project(setup_.top).value_or("")}, reason});
    for (const std::string& word : words_of_command(command)) {
      add_place(absolute(word, setup_.top), reason, false);
    }
  }

  // A directory relative to the top of whichever work tree git stands in.
  void add_tree(const std::string& value, bool of_project, const std::string& reason) {
    add_place(absolute(value, setup_.top), reason, true);
    if (!of_project && value.front() != '/' && value.front() != '~') {
      std::string path = value;
      while (path.starts_with("./")) {
        path.erase(0, 2);
      }
      found_.push_back({path, reason, true, true});
    }
  }

  // Targets of hooks that are links, and files that the hooks' texts name.
  void add_hooks(const std::string& directory) {
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      if (entry.name.ends_with(".sample") || ++files_ > kMostFiles) {
        continue;
      }
      const std::string path = directory + "/" + entry.name;
      if (entry.type == DT_LNK) {
        add_place(absolute(sys::read_link_at(fd.get(), entry.name), directory),
                  "git runs it (the hook " + entry.name + ")", false);
      }
      add_hook_text(path, directory, "the hook " + entry.name + " of git names it");
    }
  }

  // githooks(5): a hook begins at the top of the work tree, or in the git directory.
  void add_hook_text(const std::string& path, const std::string& directory,
                     const std::string& reason) {
    const std::string text = read_if_file(path);
    std::vector<std::string> bases = {inside_project(setup_.top).value_or("")};
    if (const auto beside = inside_project(without_dots(directory)); beside && !beside->empty()) {
      bases.push_back(*beside);
    }
    texts_.push_back({text, std::move(bases), reason});
    for (const std::string& word : words_of_command(text)) {
      if (word.find('/') != std::string::npos) {
        add_place(absolute(word, setup_.top), reason, false);
      }
    }
  }

  // "" is the project's own directory.
  [[nodiscard]] std::optional<std::string> inside_project(const std::string& path) const {
    if (!is_at_or_below(path, setup_.root)) {
      return std::nullopt;
    }
    return path.substr(std::min(setup_.root.size() + 1, path.size()));
  }

  [[nodiscard]] std::string absolute(const std::string& path, const std::string& base) const {
    if (path.starts_with("~/")) {
      return setup_.home + path.substr(1);
    }
    return path.starts_with('/') ? path : base + "/" + path;
  }

  // Its path, if that is in the project; links on the way count as their targets.
  void add_place(const std::string& place, const std::string& reason, bool below) {
    std::string path = without_dots(place);
    if (!is_at_or_below(path, setup_.root)) {
      path = real_path_of(place);  // of the user's own, outside
    }
    if (!is_at_or_below(path, setup_.root) || path.size() == setup_.root.size()) {
      return;
    }
    const std::string inside = path.substr(setup_.root.size() + 1);
    const LinkWalk walk = walk_link("", inside, setup_.root, look_);
    for (const std::string& link : walk.links) {
      found_.push_back({link, reason, false, false});
    }
    found_.push_back({inside, reason, below, false});
    if (walk.outside.empty() && !walk.end.empty() && walk.end != inside) {
      found_.push_back({walk.end, reason, below, false});
    }
  }

  const GitSetup& setup_;
  const LookAt& look_;
  int files_ = 0;
  std::set<std::string> read_;
  std::vector<NamedPath> found_;
  std::vector<LeadingText> texts_;
};

}  // namespace

std::vector<std::string> user_git_configs(const std::string& home) {
  const auto of = [](const char* name) { return sys::environment(name).value_or(""); };
  std::vector<std::string> files = {sys::user_config_dir(home) + "/git/config",
                                    home + "/.gitconfig"};
  if (of("GIT_CONFIG_NOSYSTEM").empty()) {
    files.emplace_back("/etc/gitconfig");
  }
  for (const char* name : {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"}) {
    if (std::string file = of(name); !file.empty()) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

NamedByGit paths_named_by_git(const GitSetup& setup, const LookAt& look) {
  return Collector{setup, look}.collect();
}

}  // namespace shadow::sensitive
