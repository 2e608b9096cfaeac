// SPDX-License-Identifier: MIT
#include "watch/project_watch.hpp"

#include "session/project/real_git_dir.hpp"
#include "sys/files/beneath.hpp"

#include <string_view>

namespace shadow::watch {
namespace {

bool holds_objects(std::string_view name) {
  return name == "objects" || name == "logs";
}

// Files that git writes for each object; no run looks these up before it knows the name from
// elsewhere.
bool is_noise_of_git(std::string_view path) {
  const sys::SplitPath parts = sys::split_path(path);
  const bool inside = parts.parent == ".git" || parts.parent.ends_with("/.git");
  return inside && holds_objects(parts.name);
}

}  // namespace

bool watch_project(TreeWatch& watch, const std::string& root, git::IgnoreRules& rules) {
  using Reach = TreeWatch::Reach;
  const bool complete = watch.add_tree(root, [&rules](const std::string& path) {
    return is_noise_of_git(path)       ? Reach::None
           : rules.ignored(path, true) ? Reach::Some
                                       : Reach::All;
  });
  const auto git_dir = session::outside_git_dir(root);
  if (!git_dir) {
    return complete;
  }
  return watch.add_tree(*git_dir, [](const std::string& path) {
    return holds_objects(path) ? Reach::None : Reach::All;
  }) && complete;
}

}  // namespace shadow::watch
