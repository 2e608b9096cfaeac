// SPDX-License-Identifier: MIT
#include "workspace/paths.hpp"

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

session::Selection selection_of(const workspace::Paths& paths, const Project& project) {
  std::vector<std::string> arguments;
  arguments.reserve(paths.names().size());
  for (const std::string& path : paths.names()) {
    arguments.push_back(":(top,literal)" + path);
  }
  return session::Selection{arguments, project};
}

}  // namespace shadow
