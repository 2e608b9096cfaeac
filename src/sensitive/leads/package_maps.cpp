// SPDX-License-Identifier: MIT
#include "sensitive/leads/package_maps.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "sensitive/parts/json_keys.hpp"
#include "sys/files/beneath.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace shadow::sensitive {

std::vector<PackageMaps::MappedFile> PackageMaps::files_named_in(
    std::string_view text, const std::vector<std::string>& directories) {
  // A map may give a file for each word. What a session has written is sensitive by its own names.
  constexpr std::size_t kMost = 20'000;
  std::vector<MappedFile> found;
  std::optional<std::vector<std::string_view>> words;
  for (const std::string& directory : directories) {
    for (const auto& [file, map] : maps_in(directory)) {
      if (!words) {
        words = quoted_words(text);
      }
      for (const std::string_view word : *words) {
        for (std::string& path : map.files_of(word)) {
          if (found.size() < kMost) {
            found.push_back({file, std::move(path)});
          }
        }
      }
    }
  }
  return found;
}

const PackageMaps::Maps& PackageMaps::maps_in(const std::string& directory) {
  constexpr std::array<const char*, 6> kNames = {"package.json",  "deno.json",
                                                 "deno.jsonc",    "import_map.json",
                                                 "tsconfig.json", "jsconfig.json"};
  const auto [known, fresh] = known_.try_emplace(directory);
  if (fresh) {
    for (const char* name : kNames) {
      read_map(sys::join_path(directory, name), known->second);
    }
  }
  return known->second;
}

// With those that it goes on with, whose names are relative to themselves.
void PackageMaps::read_map(const std::string& file, Maps& maps) {
  constexpr std::size_t kMostFiles = 20;
  const bool goes_on = file.ends_with("sconfig.json");  // tsconfig.json, jsconfig.json
  std::vector<std::string> files = {file};
  for (std::size_t at = 0; at < files.size(); ++at) {
    const auto text = read_(files[at]);
    PackageMap map = text ? PackageMap{*text} : PackageMap{};
    if (!map.empty()) {
      maps.emplace(files[at], std::move(map));
    }
    for (const std::string& path :
         text&& goes_on ? configurations_in(*text) : std::vector<std::string>{}) {
      if (path.starts_with('.') && files.size() < kMostFiles) {
        const std::string_view directory = sys::split_path(files[at]).parent;
        files.push_back(without_dots(sys::join_path(std::string{directory}, path)).substr(1));
      }
    }
  }
}

}  // namespace shadow::sensitive
