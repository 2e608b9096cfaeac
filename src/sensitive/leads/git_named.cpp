// SPDX-License-Identifier: MIT
#include "sensitive/leads/git_named.hpp"

#include "base/git_config_text.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "sensitive/scripts/git_commands.hpp"
#include "sensitive/walk/real_path.hpp"
#include "sensitive/walk/user_file.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

constexpr int kMostFiles = 1000;  // configurations that include each other, hooks

class Collector {
 public:
  Collector(const GitSetup& setup, const UserGit& user, const LookAt& look)
      : setup_{setup}, user_{user}, look_{look} {}

  NamedByGit collect() {
    if (setup_.real) {
      read_config(setup_.real->common + "/config", true);
      read_config(setup_.real->dir + "/config.worktree", true);
      add_hooks(setup_.real->common + "/hooks");
      // Each may be a link into the project.
      add_place(setup_.real->common + "/hooks", "git runs it (a hook)", Reach::Below);
      add_place(setup_.real->common + "/info", "git obeys it", Reach::Below);
      add_place(setup_.real->common + "/info/attributes", "git obeys it", Reach::Itself);
      add_place(setup_.real->common + "/config", "git reads its configuration from it",
                Reach::Itself);
      add_place(setup_.real->dir + "/config.worktree", "git reads its configuration from it",
                Reach::Itself);
    }
    for (const std::string& file : user_.files) {
      add_place(file, "git reads its configuration from it", Reach::Itself);
      read_config(file, false);
    }
    for (const GitConfigEntry& entry : user_.settings) {
      if (entry.value && !entry.value->empty()) {
        take(entry, {}, false);
      }
    }
    for (const UserVariable& variable : user_.variables) {
      take_variable(variable);
    }
    return {std::move(found_), std::move(texts_)};
  }

 private:
  enum class Relative : std::uint8_t { ToWorkTree, ToAnything };

  void read_config(const std::string& file, bool of_project) {
    if (++files_ > kMostFiles || !read_.insert(file).second) {
      return;
    }
    for (const GitConfigEntry& entry : parse_git_config_text(text_of_user_file(file)).entries) {
      if (entry.value && !entry.value->empty()) {
        take(entry, file, of_project);
      }
    }
  }

  // `file` is empty for a setting of the environment, where git takes no relative include.
  void take(const GitConfigEntry& entry, const std::string& file, bool of_project) {
    const std::string& value = *entry.value;
    if ((entry.section == "include" || entry.section == "includeif") && entry.key == "path") {
      const std::string included = absolute(value, file.substr(0, file.rfind('/')));
      add_place(included, "git reads its configuration from it", Reach::Itself);
      read_config(included, of_project);
      return;
    }
    if (const auto& address = entry.subsection;
        entry.section == "url" && address && address->starts_with("ext::")) {
      add_command(*address, reason_of(entry), of_project);  // in the place of what the value says
    }
    if (defines_driver_of_git(entry)) {
      add_relative(".gitattributes", reason_of(entry), Reach::Itself, Relative::ToAnything);
    }
    switch (use_of_setting(entry)) {
      case SettingUse::Hooks:
        add_tree(value, reason_of(entry), of_project, Relative::ToWorkTree);
        add_hooks(absolute(value, setup_.top));
        break;
      case SettingUse::Template:
        add_tree(value, "git copies it into new repositories (init.templateDir)", of_project,
                 Relative::ToAnything);
        break;
      case SettingUse::Attributes:
        add_place(absolute(value, setup_.top), "git obeys it (core.attributesFile)", Reach::Itself);
        if (!of_project) {
          add_relative(value, "git obeys it (core.attributesFile)", Reach::Itself,
                       Relative::ToWorkTree);
        }
        break;
      case SettingUse::Trusted:
        add_tree(value, reason_of(entry, "trusts"), of_project, Relative::ToWorkTree);
        break;
      case SettingUse::Command:
        add_command(value, reason_of(entry), of_project);
        break;
      case SettingUse::None:
        break;
    }
  }

  static std::string reason_of(const GitConfigEntry& entry, const std::string& does = "runs") {
    const std::string key = entry.key == "hookspath" ? "hooksPath" : entry.key;
    return "git " + does + " it (" + entry.section + "." + key + ")";
  }

  // What a shell or execvp(3) searches on the PATH is not looked for in the project.
  void take_variable(const UserVariable& variable) {
    const std::string& value = variable.value;
    const std::string reason = "your environment names it ($" + variable.name + ")";
    const bool has_slash = value.find('/') != std::string::npos;
    if (variable.use == VariableUse::Directory) {
      add_tree(value, reason, false, Relative::ToAnything);
      return;
    }
    if (variable.use != VariableUse::Command && variable.use != VariableUse::Program &&
        variable.use != VariableUse::File) {
      add_search_path(variable, reason);
      return;
    }
    if (variable.use == VariableUse::File && !has_slash) {
      add_relative(value, reason, Reach::Itself, Relative::ToAnything);
      return;
    }
    add_place(absolute(value, setup_.top), reason, Reach::Itself);  // with a blank in it
    std::string others;
    for (const std::string& word : words_in(value)) {
      if (word.find('/') != std::string::npos) {
        add_place(absolute(word, setup_.top), reason, Reach::Itself);
        add_relative(word, reason, Reach::Itself, Relative::ToAnything);
      }
      others += word.starts_with('/') || word.find(' ') != std::string::npos ? "" : word + " ";
    }
    add_text(others, reason);
  }

  // To ld.so(8), python(1), java(1) and gcc(1) an empty entry is the directory that they start in.
  static bool obeys_empty_entries(const UserVariable& variable) {
    constexpr std::array<std::string_view, 2> kOthers = {"CLASSPATH", "COMPILER_PATH"};
    return variable.use == VariableUse::SearchPath || variable.use == VariableUse::PythonPath ||
           std::find(kOthers.begin(), kOthers.end(), variable.name) != kOthers.end();
  }

  // A list. A directory in which the project lies is no place where this looks.
  void add_search_path(const UserVariable& variable, const std::string& reason) {
    std::string value = variable.value;
    if (variable.use == VariableUse::SearchPath) {
      std::replace(value.begin(), value.end(), ';', ':');  // ld.so takes both
    }
    for (const std::string& entry : split(value, ':')) {
      if (entry.empty()) {
        if (obeys_empty_entries(variable)) {
          add_current_directory(variable.use, reason);
        }
        continue;
      }
      const std::string whole = absolute(entry.substr(0, entry.find("/?")), setup_.top);
      for (const std::string& place : {without_dots(whole), real_path_of(whole)}) {
        if (const auto inside = inside_project(place)) {
          add_searched(*inside, variable.use, reason);
        }
      }
      if (variable.use == VariableUse::SearchPath && !entry.starts_with('/')) {
        const std::string relative = without_dots(entry).substr(1);
        relative.empty() ? add_current_directory(variable.use, reason)
                         : add_relative(relative, reason, Reach::Below, Relative::ToAnything);
      }
    }
  }

  void add_searched(const std::string& inside, VariableUse use, const std::string& reason) {
    if (use == VariableUse::PythonPath) {
      found_.push_back(python_directory(inside, reason));
      return;
    }
    found_.push_back(named_path(inside, reason, Reach::Below));
    found_.back().right_in = use == VariableUse::SearchPath;
    found_.back().if_fresh = use == VariableUse::ModulePath;
    add_walk(inside, reason, Reach::Below);
  }

  // Most often that is the project's top, or that of a work tree. Of a library, any other may be.
  void add_current_directory(VariableUse use, const std::string& reason) {
    for (const std::string& place : {setup_.root, setup_.top}) {
      const auto inside = inside_project(place);
      if (inside && use == VariableUse::PythonPath) {
        found_.push_back(python_directory(*inside, reason));
      } else if (inside) {
        found_.push_back(named_path(*inside, reason, Reach::Below));
        found_.back().right_in = true;
        found_.back().if_fresh = use == VariableUse::ModulePath;
      }
    }
    if (use == VariableUse::SearchPath) {
      found_.push_back(programs_in_any_directory(reason));
    }
  }

  void add_command(const std::string& command, const std::string& reason, bool of_project) {
    add_text(command, reason);
    for (const std::string& word : words_in_any_reading(command)) {
      add_place(absolute(word, setup_.top), reason, Reach::Itself);
    }
    for (const std::string& word : of_project ? std::vector<std::string>{} : words_in(command)) {
      if (word.find('/') != std::string::npos) {
        add_relative(word, reason, Reach::Itself, Relative::ToWorkTree);
      }
    }
  }

  // Only a variable stands before what the command does not have by itself: of "/usr/bin/x"
  // words_of_command() gives "usr/bin/x", too.
  static std::vector<std::string> words_in(const std::string& command) {
    const bool evaluated = command.find_first_of("$`") != std::string::npos;
    std::vector<std::string> words;
    std::string before;
    for (std::string& word : words_in_any_reading(command)) {
      const bool rest = !evaluated && before.ends_with("/" + word);
      before = word;
      if (!rest) {
        words.push_back(std::move(word));
      }
    }
    return words;
  }

  void add_text(const std::string& text, const std::string& reason) {
    texts_.push_back({text, {inside_project(setup_.top).value_or("")}, reason});
  }

  void add_tree(const std::string& value, const std::string& reason, bool of_project, Relative to) {
    add_place(absolute(value, setup_.top), reason, Reach::Below);
    if (!of_project) {
      add_relative(value, reason, Reach::Below, to);
    }
  }

  // Relative to the top of whichever work tree git stands in, or to wherever a program starts.
  void add_relative(const std::string& value, const std::string& reason, Reach reach, Relative to) {
    constexpr std::string_view kElsewhere = "/~$";
    if (value.empty() || kElsewhere.find(value.front()) != std::string_view::npos ||
        value.starts_with("HOME/")) {
      return;
    }
    const std::string path = without_dots(value).substr(1);
    if (path.empty()) {
      return;
    }
    NamedPath named = named_path(path, reason, reach);
    named.anywhere = to == Relative::ToWorkTree;
    named.in_any_directory = to == Relative::ToAnything;
    found_.push_back(std::move(named));
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
                  "git runs it (the hook " + entry.name + ")", Reach::Itself);
      }
      add_hook_text(path, directory, "the hook " + entry.name + " of git names it");
    }
  }

  // githooks(5): a hook begins at the top of the work tree, or in the git directory.
  void add_hook_text(const std::string& path, const std::string& directory,
                     const std::string& reason) {
    const std::string text = text_of_user_file(path);
    std::vector<std::string> bases = {inside_project(setup_.top).value_or("")};
    if (const auto beside = inside_project(without_dots(directory)); beside && !beside->empty()) {
      bases.push_back(*beside);
    }
    texts_.push_back({text, std::move(bases), reason});
    for (const std::string& word : words_in_any_reading(text)) {
      if (word.find('/') != std::string::npos) {
        add_place(absolute(word, setup_.top), reason, Reach::Itself);
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
    // words_of_command() parts "$HOME/x" at the '$'.
    const std::string whole =
        with_home(path.starts_with("HOME/") ? "~" + path.substr(4) : path, user_.home);
    return whole.starts_with('/') ? whole : base + "/" + whole;
  }

  // Its path, if that is in the project; links on the way count as their targets. A tree in which
  // the project lies makes all of it count.
  void add_place(const std::string& place, const std::string& reason, Reach reach) {
    const std::string path = without_dots(place);
    if (!is_at_or_below(path, setup_.root)) {
      add_outside(place, reason, reach);
      return;
    }
    add_inside(behind_root(path), reason, reach);
    // As the kernel has it: ".." after a link is the parent of its target.
    const std::string& way = is_at_or_below(place, setup_.root) ? place : path;
    if (const std::string outside = add_walk(behind_root(way), reason, reach); !outside.empty()) {
      add_outside(outside, reason, reach);
    }
  }

  // A way of the user's own may come back over links of the project, which its real path passes by.
  void add_outside(const std::string& place, const std::string& reason, Reach reach) {
    for (const std::string& link : walk_link_back("", place, setup_.root, look_).links) {
      found_.push_back(named_path(link, reason));
    }
    add_real(real_path_of(place), reason, reach);
  }

  void add_real(const std::string& path, const std::string& reason, Reach reach) {
    if (!path.empty() && is_at_or_below(path, setup_.root)) {
      add_inside(behind_root(path), reason, reach);
      add_walk(behind_root(path), reason, reach);
    } else if (!path.empty() && is_at_or_below(setup_.root, path)) {
      add_inside("", reason, reach);
    }
  }

  // Where the way leads out of the project, or "".
  std::string add_walk(const std::string& way, const std::string& reason, Reach reach) {
    LinkWalk walk = walk_link("", way, setup_.root, look_);
    for (const std::string& link : walk.links) {
      found_.push_back(named_path(link, reason));
    }
    if (walk.inside() && walk.end != way) {
      add_inside(walk.end, reason, reach);
    }
    return std::move(walk.outside);
  }

  [[nodiscard]] std::string behind_root(const std::string& path) const {
    const std::size_t begin = path.find_first_not_of('/', setup_.root.size());
    return begin == std::string::npos ? std::string{} : path.substr(begin);
  }

  // "" is the project's top, of which only what lies in it can count.
  void add_inside(const std::string& path, const std::string& reason, Reach reach) {
    if (!path.empty() || reach == Reach::Below) {
      found_.push_back(named_path(path, reason, reach));
    }
  }

  const GitSetup& setup_;
  const UserGit& user_;
  const LookAt& look_;
  int files_ = 0;
  std::set<std::string> read_;
  std::vector<NamedPath> found_;
  std::vector<LeadingText> texts_;
};

}  // namespace

NamedByGit paths_named_by_git(const GitSetup& setup, const UserGit& user, const LookAt& look) {
  return Collector{setup, user, look}.collect();
}

}  // namespace shadow::sensitive
