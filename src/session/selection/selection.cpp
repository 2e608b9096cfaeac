// SPDX-License-Identifier: MIT
#include "session/selection/selection.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace shadow::session {

Selection select_literally(const std::set<std::string>& paths, const Project& project) {
  std::vector<std::string> arguments;
  arguments.reserve(paths.size());
  for (const std::string& path : paths) {
    arguments.push_back(":(top,literal)" + path);
  }
  return Selection{arguments, project};
}

std::string project_path(const std::string& argument, const Project& project) {
  return Pathspec{argument, project}.path();
}

Selection::Selection(const std::vector<std::string>& arguments, const Project& project) {
  for (const std::string& argument : arguments) {
    Pathspec spec{argument, project};
    (spec.excludes() ? excluded_ : wanted_).push_back(std::move(spec));
  }
}

bool Selection::everything() const {
  return excluded_.empty() &&
         (wanted_.empty() || std::any_of(wanted_.begin(), wanted_.end(),
                                         [](const Pathspec& spec) { return spec.is_root(); }));
}

bool Selection::selects(std::string_view path) const {
  const auto matches = [path](const Pathspec& spec) { return spec.matches(path); };
  return (wanted_.empty() || std::any_of(wanted_.begin(), wanted_.end(), matches)) &&
         std::none_of(excluded_.begin(), excluded_.end(), matches);
}

bool Selection::leads_to(std::string_view path) const {
  // Exclusions are not considered: a path below a glob's match may still be selected.
  return wanted_.empty() || std::any_of(wanted_.begin(), wanted_.end(), [path](const auto& spec) {
           return spec.may_match_below(path);
         });
}

bool Selection::is_plain() const {
  return excluded_.empty() && std::all_of(wanted_.begin(), wanted_.end(),
                                          [](const auto& spec) { return spec.is_plain(); });
}

std::vector<std::string> Selection::paths() const {
  std::vector<std::string> paths;
  if (everything()) {
    return paths;
  }
  for (const Pathspec& spec : wanted_) {
    if (spec.is_plain()) {
      paths.push_back(spec.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace shadow::session
