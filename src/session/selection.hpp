// SPDX-License-Identifier: MIT
// Path arguments: each selects a path of the project and everything below it.

#pragma once

#include "shadow/session.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow {

class Selection {
 public:
  Selection() = default;

  // Arguments as typed: absolute, or relative to the caller's directory. Resolved as text, because
  // a path may be gone in the real tree, or a symlink in one of the two. Throws Error for what lies
  // outside of the project.
  Selection(const std::vector<std::string>& arguments, const Project& project);

  [[nodiscard]] bool everything() const { return paths_.empty(); }
  [[nodiscard]] bool selects(std::string_view path) const;
  // Whether the path is selected or leads to one that is.
  [[nodiscard]] bool leads_to(std::string_view path) const;

  // Relative to the project, without duplicates; empty when everything is selected.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
};

// One argument as a path relative to the project's root; "" is the root itself.
[[nodiscard]] std::string project_path(const std::string& argument, const Project& project);

}  // namespace shadow
