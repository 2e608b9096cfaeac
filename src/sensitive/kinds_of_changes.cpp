// SPDX-License-Identifier: MIT
#include "sensitive/kinds_of_changes.hpp"

#include "base/text.hpp"
#include "base/words.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/script_names.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace shadow::sensitive {

bool is_for_people(const std::string& path) {
  constexpr std::array<std::string_view, 3> kEndings = {".md", ".txt", ".rst"};
  constexpr std::array<std::string_view, 5> kNames = {"readme", "license", "copying", "changelog",
                                                      ".gitignore"};
  const std::string name{sys::split_path(folded_name(path)).name};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view end) { return name.ends_with(end); }) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_fresh_module(const Change& change, const std::string& directory) {
  constexpr std::array<std::string_view, 3> kEndings = {".py", ".pyc", ".so"};
  const auto at = sys::split_path(change.path);
  if (change.before.exists()) {
    return false;
  }
  if (at.parent == directory) {
    return change.after.kind == EntryKind::Symlink ||
           std::any_of(kEndings.begin(), kEndings.end(),
                       [&](std::string_view end) { return at.name.ends_with(end); });
  }
  // Deeper in a directory that Python takes for a package it imports what it knows.
  return (at.name.starts_with("__init__.") && sys::split_path(at.parent).parent == directory) ||
         (is_at_or_below(at.parent, directory) && is_python_module_in(directory, change));
}

bool is_python_module_in(const std::string& directory, const Change& change) {
  const std::string behind = change.path.substr(
      directory.empty() ? 0 : std::min(directory.size() + 1, change.path.size()));
  return find_python_module(folded_name(behind), change.after.kind == EntryKind::Symlink) !=
         nullptr;
}

std::string_view reason_as_argument(std::string_view name) {
  // Of SvelteKit and of Expo's router, whose files are called so. With letters behind it none is a
  // command of vim's: https://svelte.dev/docs/kit/routing, https://docs.expo.dev/router/notation/
  constexpr std::array<std::string_view, 7> kRoutes = {
      "+page", "+layout", "+error", "+server", "+not-found", "+html", "+native-intent"};
  static constexpr std::string_view kOfSuffix =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.@";
  if (name.starts_with('-')) {
    return "programs take the name for an option";
  }
  const bool route = std::any_of(kRoutes.begin(), kRoutes.end(), [name](std::string_view one) {
    return name.starts_with(one) &&
           name.find_first_not_of(kOfSuffix, one.size()) == std::string_view::npos;
  });
  return name.starts_with('+') && !route ? "vim takes the name for a command" : "";
}

bool can_be_run(const Change& change) {
  constexpr std::array<std::string_view, 4> kLibraries = {".class", ".wasm", ".pyc", ".vsix"};
  const std::string name{sys::split_path(folded_name(change.path)).name};
  return may_be_found_on_path(change) || has_end(name, kLibraries) ||
         (is_name_of_program(name) && !is_for_people(change.path));
}

bool may_be_found_on_path(const Change& change) {
  return change.after.kind == EntryKind::Symlink ||
         (change.after.kind == EntryKind::File &&
          ((change.after.mode & 0111U) != 0 ||
           sys::split_path(change.path).name.find(".so") != std::string_view::npos));
}

}  // namespace shadow::sensitive
