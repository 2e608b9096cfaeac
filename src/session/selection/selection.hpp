// SPDX-License-Identifier: MIT
// Path arguments together: which paths of the project they select.

#pragma once

#include "shadow/session.hpp"

#include "session/selection/pathspec.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::session {

class Selection {
 public:
  Selection() = default;

  // Arguments as typed. Without one that selects, all but what others exclude is selected. Throws
  // as Pathspec does.
  Selection(const std::vector<std::string>& arguments, const Project& project);

  [[nodiscard]] bool everything() const;
  [[nodiscard]] bool selects(std::string_view path) const;
  // True if the path is selected or leads to one that is.
  [[nodiscard]] bool leads_to(std::string_view path) const;

  // True if `paths` is the whole selection: no globs, nothing excluded.
  [[nodiscard]] bool is_plain() const;
  // The paths that are selected literally, relative to the project, sorted, without duplicates;
  // empty if everything is selected. Globs are left out.
  [[nodiscard]] std::vector<std::string> paths() const;

  // The arguments that select, and those that exclude.
  [[nodiscard]] const std::vector<Pathspec>& wanted() const { return wanted_; }
  [[nodiscard]] const std::vector<Pathspec>& excluded() const { return excluded_; }

 private:
  std::vector<Pathspec> wanted_;
  std::vector<Pathspec> excluded_;
};

// What has these paths, relative to the project, and what is below them. At least one.
[[nodiscard]] Selection select_literally(const std::set<std::string>& paths,
                                         const Project& project);

// One argument as a path relative to the project's root; "" is the root itself.
[[nodiscard]] std::string project_path(const std::string& argument, const Project& project);

}  // namespace shadow::session
