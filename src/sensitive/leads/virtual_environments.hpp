// SPDX-License-Identifier: MIT
// Directories that are virtual environments, which editors and prompts run. Pure.

#pragma once

#include "sys/files/beneath.hpp"

#include <string>
#include <string_view>

namespace shadow::sensitive {

// The one that a file makes of the directory around it: of venv's, or of conda's
// (https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/environments.html). Of others
// empty.
[[nodiscard]] inline std::string environment_of(std::string_view file) {
  const auto at = sys::split_path(file);
  const auto above = sys::split_path(at.parent);
  return std::string{at.name == "pyvenv.cfg"      ? at.parent
                     : above.name == "conda-meta" ? above.parent
                                                  : ""};
}

// The one whose interpreter a path may be: "env" of "env/bin/python3". Of others empty, and of the
// system's, which a text names as "/usr/bin/python3".
[[nodiscard]] inline std::string environment_of_interpreter(std::string_view path) {
  constexpr std::string_view kPython = "python";
  const auto at = sys::split_path(path);
  const auto above = sys::split_path(at.parent);
  const bool python =
      at.name.starts_with(kPython) &&
      at.name.find_first_not_of("0123456789.", kPython.size()) == std::string_view::npos;
  const bool of_system = above.parent == "usr" || above.parent == "usr/local";
  return python && above.name == "bin" && !of_system ? std::string{above.parent} : "";
}

}  // namespace shadow::sensitive
