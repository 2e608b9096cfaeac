// SPDX-License-Identifier: MIT
#include "sensitive/scripts/cmake_paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace shadow::sensitive {

namespace {

// What CMake sets itself.
constexpr std::array<std::string_view, 3> kOfBuild = {
    "${CMAKE_CURRENT_BINARY_DIR}", "${CMAKE_BINARY_DIR}", "${PROJECT_BINARY_DIR}"};
constexpr std::array<std::string_view, 4> kOfSources = {
    "${CMAKE_CURRENT_SOURCE_DIR}", "${CMAKE_SOURCE_DIR}", "${PROJECT_SOURCE_DIR}",
    "${CMAKE_CURRENT_LIST_DIR}"};
constexpr std::string_view kProjectName = "${PROJECT_NAME}";

template <typename Places>
bool take_place(std::string_view& path, const Places& places) {
  for (const std::string_view place : places) {
    if (path == place || path.starts_with(std::string{place} + "/")) {
      path.remove_prefix(std::min(place.size() + 1, path.size()));
      return true;
    }
  }
  return false;
}

}  // namespace

bool take_build_place(std::string_view& path) {
  return take_place(path, kOfBuild);
}

bool take_source_place(std::string_view& path) {
  return take_place(path, kOfSources);
}

bool names_build_place(std::string_view text) {
  return std::any_of(kOfBuild.begin(), kOfBuild.end(), [text](std::string_view place) {
    return text.find(place) != std::string_view::npos;
  });
}

bool is_plain_text(std::string_view text) {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (!text.substr(at).starts_with(kProjectName)) {
      return false;
    }
  }
  return text.find_first_of("@<\\;") == std::string_view::npos;
}

bool is_plain_path(std::string_view path) {
  return is_plain_text(path) && !path.starts_with('/') && !path.starts_with('~') &&
         path.find("..") == std::string_view::npos;
}

std::optional<std::string_view> path_in_build(std::string_view path, RelativeTo relative) {
  const bool named = take_build_place(path);
  return (named || relative == RelativeTo::Build) && is_plain_path(path) ? std::optional{path}
                                                                         : std::nullopt;
}

}  // namespace shadow::sensitive
