// SPDX-License-Identifier: MIT
// Path arguments together: which paths of the project they select.

#pragma once

#include "shadow/session.hpp"

#include "session/selection/pathspec.hpp"

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
  // Whether the path is selected or leads to one that is.
  [[nodiscard]] bool leads_to(std::string_view path) const;

  // Whether all of it is said by `paths`: no globs, nothing excluded.
  [[nodiscard]] bool is_plain() const;
  // What is selected as it is written, relative to the project, sorted, without duplicates; empty
  // when everything is selected. Globs are left out.
  [[nodiscard]] std::vector<std::string> paths() const;

  // The arguments that select, and those that exclude.
  [[nodiscard]] const std::vector<Pathspec>& wanted() const { return wanted_; }
  [[nodiscard]] const std::vector<Pathspec>& excluded() const { return excluded_; }

 private:
  std::vector<Pathspec> wanted_;
  std::vector<Pathspec> excluded_;
};

// One argument as a path relative to the project's root; "" is the root itself.
[[nodiscard]] std::string project_path(const std::string& argument, const Project& project);

}  // namespace shadow::session
