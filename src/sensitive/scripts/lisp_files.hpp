// SPDX-License-Identifier: MIT
// Files that a line of Emacs Lisp loads. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

struct LispFiles {
  std::vector<std::string> files;        // with the endings that `load` puts behind a name
  std::vector<std::string> directories;  // of the load-path
};

// (load "x"), (load-file "x.el"), (require 'x), (autoload 'f "x"), (add-to-list 'load-path "d"):
// https://www.gnu.org/software/emacs/manual/html_node/elisp/How-Programs-Do-Loading.html
[[nodiscard]] LispFiles files_loaded_by(std::string_view line);

}  // namespace shadow::sensitive
