// SPDX-License-Identifier: MIT
#include "workspace/call/paths.hpp"

#include "shadow/failure.hpp"

#include "base/text.hpp"

#include <string_view>
#include <utility>

namespace shadow {

namespace workspace {

namespace {

// As changes name their paths: what needs to be resolved could lead somewhere else.
bool is_plain(const std::string& path) {
  for (const std::string& part : split(path, '/')) {
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos) {
      return false;
    }
  }
  return !path.empty();
}

}  // namespace

Paths Paths::all() {
  return {};
}

Paths Paths::matching(std::vector<std::string> pathspecs) {
  Paths some;
  some.names_ = std::move(pathspecs);
  some.patterns_ = true;
  return some;
}

Paths Paths::only(std::vector<std::string> paths) {
  if (paths.empty()) {
    throw Failure{Kind::Invalid, "cannot select by an empty list of paths"};
  }
  for (const std::string& path : paths) {
    if (!is_plain(path)) {
      throw Failure{Kind::Invalid,
                    "cannot select " + quoted(path) + ": not a plain path from the project's root",
                    {},
                    {path}};
    }
  }
  Paths some;
  some.names_ = std::move(paths);
  return some;
}

}  // namespace workspace

std::vector<std::string> arguments_of(const workspace::Paths& paths) {
  if (paths.are_patterns()) {
    return paths.names();
  }
  std::vector<std::string> arguments;
  arguments.reserve(paths.names().size());
  for (const std::string& path : paths.names()) {
    arguments.push_back(":(top,literal)" + path);
  }
  return arguments;
}

std::vector<std::string> project_paths_of(const workspace::Paths& paths, const Project& project) {
  if (!paths.are_patterns()) {
    return paths.names();
  }
  std::vector<std::string> found;
  found.reserve(paths.names().size());
  for (const std::string& path : paths.names()) {
    found.push_back(session::project_path(path, project));
  }
  return found;
}

session::Selection selection_of(const workspace::Paths& paths, const Project& project) {
  return session::Selection{arguments_of(paths), project};
}

}  // namespace shadow
