// SPDX-License-Identifier: MIT
#include "sensitive/leads/outer_leads.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/walk/user_file.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

std::string parent_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

bool exists(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0;
}

// Where git finds the repository of a directory: by a `.git`, or as a git directory around it.
struct Found {
  std::string top;
  bool bare = false;
};

// git passes over a `.git` without a HEAD.
std::optional<Found> find_repository(std::string directory) {
  for (; !directory.empty(); directory = parent_of(directory)) {
    const auto git = session::obeyed_git_dir(directory);
    if (git && exists(git->dir + "/HEAD")) {
      return Found{directory, false};
    }
    if (session::is_bare_git_dir(directory)) {
      return Found{directory, true};
    }
  }
  return std::nullopt;
}

// The last names of a path.
std::string last_names(const std::string& path, int count) {
  std::size_t begin = path.size();
  for (int i = 0; i < count && begin > 0 && begin != std::string::npos; ++i) {
    begin = begin == 0 ? 0 : path.rfind('/', begin - 1);
  }
  return path.substr(begin + 1);
}

// A repository of such a name may be any; only hidden ones are what they are called.
std::string listed_name_of(const std::string& top) {
  for (int count = 1; count <= kMostPartsOfAName; ++count) {
    const std::string names = last_names(top, count);
    const SensitiveName* rule = find_sensitive_name("*/" + folded_name(names));
    if (rule != nullptr && rule->kind == SensitiveKind::Directory && names.starts_with('.') &&
        rule->name == folded_name(names)) {
      return "*/" + names;
    }
  }
  return {};
}

class OuterLeads {
 public:
  OuterLeads(const UserGit& user, const LedTrees& project)
      : user_{user},
        project_{project},
        base_{project.root.substr(0, project.root.find('/', 1))},
        prefix_{project.root.substr(std::min(base_.size() + 1, project.root.size()))},
        base_fd_{sys::try_open_at(AT_FDCWD, base_, O_PATH | O_DIRECTORY)} {}

  std::vector<NamedPath> find() {
    const auto repository = find_repository(project_.root);
    const std::string& root = project_.root;
    if (repository && (repository->bare || session::git_dir_of(below(root, repository->top)))) {
      found_.push_back(named_path("", "the project lies in a git directory", Reach::Below));
    }
    if (prefix_.empty() || !base_fd_) {
      return std::move(found_);
    }
    const std::string top = repository ? repository->top : "";
    for (std::string at = parent_of(root); !at.empty(); at = parent_of(at)) {
      add_repository(at);
      add_files(at, !top.empty() && is_at_or_below(at, top) && at != top);
    }
    for (const NamedPath& one : outer_) {
      if (!one.path.empty() && trees_.in_project(one.path).kind == EntryKind::File) {
        sources_.scripts.push_back(one.path);
      }
      take(one, true);
    }
    if (!sources_.files.empty() || !sources_.texts.empty() || !sources_.scripts.empty()) {
      for (const NamedPath& one : paths_led_to(sources_, trees_)) {
        take(one, false);
      }
    }
    return std::move(found_);
  }

 private:
  static std::string below(const std::string& path, const std::string& above) {
    return path.substr(std::min(above.size() + 1, path.size()));
  }

  // One that takes the project for a part of its work tree, or would without the project's own.
  void add_repository(const std::string& top) {
    const auto git = session::obeyed_git_dir(top);
    if (!git) {
      return;
    }
    NamedByGit named = paths_named_by_git({base_, top, git}, user_, trees_.in_project);
    std::move(named.paths.begin(), named.paths.end(), std::back_inserter(outer_));
    std::move(named.texts.begin(), named.texts.end(), std::back_inserter(sources_.texts));
  }

  // Each program that obeys one looks for it by its name, in the directories above as well.
  void add_files(const std::string& directory, bool part_of_repository) {
    for (const LeadingName& one : leading_names()) {
      constexpr std::string_view kAny = "/*";
      if (one.name == "pyvenv.cfg" && !part_of_repository) {
        continue;  // what lies in an environment is not all of the environment
      }
      if (!one.name.ends_with(kAny)) {
        add_file(directory + "/" + std::string{one.name});
        continue;
      }
      const std::string whole =
          directory + "/" + std::string{one.name.substr(0, one.name.size() - kAny.size())};
      const sys::Fd fd = sys::try_open_at(AT_FDCWD, whole, O_RDONLY | O_DIRECTORY);
      for (const sys::DirEntry& entry :
           fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
        add_file(whole + "/" + entry.name);
      }
    }
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      const LeadingName* by_its_rule = find_leading_name(folded_name(entry.name));
      if (by_its_rule != nullptr && by_its_rule->name.empty()) {
        add_file(directory + "/" + entry.name);
      }
    }
  }

  // Those in the project are found with the project's.
  void add_file(const std::string& path) {
    if (!is_at_or_below(path, project_.root) && exists(path)) {
      sources_.files.push_back({below(path, base_)});
    }
  }

  // Of a tree that is copied all counts, at any depth; of others what lies right in them.
  void take(NamedPath named, bool at_any_depth) {
    if (named.anywhere || named.in_any_directory) {
      found_.push_back(std::move(named));
      return;
    }
    if (is_at_or_below(named.path, prefix_)) {
      named.path = below(named.path, prefix_);
    } else if (named.below && at_any_depth && is_at_or_below(prefix_, named.path)) {
      named.path.clear();
    } else {
      return;
    }
    if (!named.path.empty() || named.below || named.fresh_module) {
      found_.push_back(std::move(named));
    }
  }

  // "" is the project's top.
  [[nodiscard]] std::optional<std::string> in_project(const std::string& path) const {
    return is_at_or_below(path, prefix_) ? std::optional{below(path, prefix_)} : std::nullopt;
  }

  [[nodiscard]] Entry look(const std::string& path, const LookAt& at_project) const {
    const auto inside = in_project(path);
    return inside && !inside->empty() ? at_project(*inside)
                                      : overlay::look_beneath(base_fd_.get(), path);
  }

  [[nodiscard]] std::optional<std::string> read(const std::string& path) const {
    const auto inside = in_project(path);
    return inside ? project_.read(*inside) : text_of_user_file(base_ + "/" + path);
  }

  const UserGit& user_;
  const LedTrees& project_;
  const std::string base_;    // of the tree in which all is looked at: "/home", say
  const std::string prefix_;  // the project's place in it
  const sys::Fd base_fd_;
  const LedTrees trees_{[this](const std::string& path) { return read(path); },
                        [this](const std::string& path) { return look(path, project_.in_project); },
                        [this](const std::string& path) { return look(path, project_.in_view); },
                        base_, project_.home};
  LeadSources sources_;
  std::vector<NamedPath> outer_;
  std::vector<NamedPath> found_;
};

}  // namespace

std::string names_above(const std::string& root) {
  const auto repository = find_repository(root);
  if (!repository) {
    return "*/" + last_names(root, kMostPartsOfAName);
  }
  const std::string& top = repository->top;
  return sys::join_path(listed_name_of(top), root.substr(std::min(top.size() + 1, root.size())));
}

std::vector<NamedPath> paths_led_to_from_above(const UserGit& user, const LedTrees& project) {
  return OuterLeads{user, project}.find();
}

}  // namespace shadow::sensitive
