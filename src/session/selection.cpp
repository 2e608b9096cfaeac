// SPDX-License-Identifier: MIT
#include "session/selection.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace shadow {

namespace {

// "/a/./b//../c" -> {"a", "c"}.
std::vector<std::string> components_of(const std::string& absolute) {
  std::vector<std::string> components;
  for (std::string& part : split(absolute, '/')) {
    if (part.empty() || part == ".") {
      continue;
    }
    if (part != "..") {
      components.push_back(std::move(part));
    } else if (!components.empty()) {
      components.pop_back();
    }
  }
  return components;
}

}  // namespace

std::string project_path(const std::string& argument, const Project& project) {
  if (argument.empty()) {
    throw Error{"cannot select '': it is not a path"};
  }
  const std::string absolute = argument.front() == '/' ? argument : project.cwd + "/" + argument;
  const std::string resolved = "/" + join(components_of(absolute), "/");
  if (!is_at_or_below(resolved, project.root)) {
    throw Error{"cannot select " + quoted(argument) + ": it is not in the project " +
                quoted(project.root)};
  }
  return resolved.size() == project.root.size() ? std::string{}
                                                : resolved.substr(project.root.size() + 1);
}

Selection::Selection(const std::vector<std::string>& arguments, const Project& project) {
  for (const std::string& argument : arguments) {
    std::string path = project_path(argument, project);
    if (path.empty()) {
      paths_.clear();
      return;
    }
    paths_.push_back(std::move(path));
  }
  std::sort(paths_.begin(), paths_.end());
  paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
}

bool Selection::selects(std::string_view path) const {
  return everything() ||
         std::any_of(paths_.begin(), paths_.end(),
                     [path](const std::string& above) { return is_at_or_below(path, above); });
}

bool Selection::leads_to(std::string_view path) const {
  return everything() || std::any_of(paths_.begin(), paths_.end(), [path](const std::string& end) {
           return is_at_or_below(path, end) || is_at_or_below(end, path);
         });
}

}  // namespace shadow
