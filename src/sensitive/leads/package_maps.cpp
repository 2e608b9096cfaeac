// SPDX-License-Identifier: MIT
#include "sensitive/leads/package_maps.hpp"

#include "sys/files/beneath.hpp"

#include <array>
#include <utility>

namespace shadow::sensitive {

std::vector<PackageMaps::MappedFile> PackageMaps::files_named_in(
    std::string_view text, const std::vector<std::string>& directories) {
  std::vector<MappedFile> found;
  std::optional<std::vector<std::string_view>> words;
  for (const std::string& directory : directories) {
    for (const auto& [file, map] : maps_in(directory)) {
      if (!words) {
        words = quoted_words(text);
      }
      for (const std::string_view word : *words) {
        for (std::string& path : map.files_of(word)) {
          found.push_back({file, std::move(path)});
        }
      }
    }
  }
  return found;
}

const PackageMaps::Maps& PackageMaps::maps_in(const std::string& directory) {
  constexpr std::array<const char*, 4> kNames = {"package.json", "deno.json", "deno.jsonc",
                                                 "import_map.json"};
  const auto [known, fresh] = known_.try_emplace(directory);
  if (fresh) {
    for (const char* name : kNames) {
      std::string file = sys::join_path(directory, name);
      const auto text = read_(file);
      PackageMap map = text ? PackageMap{*text} : PackageMap{};
      if (!map.empty()) {
        known->second.emplace(std::move(file), std::move(map));
      }
    }
  }
  return known->second;
}

}  // namespace shadow::sensitive
