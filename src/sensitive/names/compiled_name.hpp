// SPDX-License-Identifier: MIT
// Compiled forms that a program takes in the place of a source, whatever that says. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// The path of the source that a file of this path may stand for: of zsh's "a.zwc", of Perl's
// "a.pmc" (perldoc -f require) and Emacs's "a.elc", and of Python's "__pycache__/a.cpython-311.pyc"
// and "a.abi3.so", which need not be made of it. Empty for others.
[[nodiscard]] inline std::string source_of_compiled(std::string_view path) {
  constexpr std::string_view kOfZsh = ".zwc";
  constexpr std::string_view kOfPerl = ".pmc";
  constexpr std::string_view kOfEmacs = ".elc";
  constexpr std::string_view kCache = "__pycache__/";
  const std::size_t slash = path.rfind('/');
  std::string_view directory = path.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
  const std::string_view name = path.substr(directory.size());
  if (name.ends_with(kOfZsh)) {
    return std::string{path.substr(0, path.size() - kOfZsh.size())};
  }
  if (name.ends_with(kOfPerl) || name.ends_with(kOfEmacs)) {
    return std::string{path.substr(0, path.size() - 1)};
  }
  const bool cached =
      name.ends_with(".pyc") && (directory == kCache || directory.ends_with("/__pycache__/"));
  if (!cached && !name.ends_with(".so")) {
    return {};
  }
  directory.remove_suffix(cached ? kCache.size() : 0);
  return std::string{directory} + std::string{name.substr(0, name.find('.'))} + ".py";
}

}  // namespace shadow::sensitive
