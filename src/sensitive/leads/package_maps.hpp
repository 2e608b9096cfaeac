// SPDX-License-Identifier: MIT
// Names that a program in JavaScript imports, by the maps of the packages around it, and by what
// TypeScript is told of paths.

#pragma once

#include "sensitive/parts/package_map.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::sensitive {

class PackageMaps {
 public:
  using Read = std::function<std::optional<std::string>(const std::string& path)>;

  struct MappedFile {
    std::string map;   // the file that has the map
    std::string path;  // relative to its directory
  };

  // `read` gives a file's text in the project.
  explicit PackageMaps(Read read) : read_{std::move(read)} {}

  // What the maps in these directories give for each name in the text.
  [[nodiscard]] std::vector<MappedFile> files_named_in(std::string_view text,
                                                       const std::vector<std::string>& directories);

 private:
  // By the paths of their files.
  using Maps = std::map<std::string, PackageMap>;

  const Maps& maps_in(const std::string& directory);
  void read_map(const std::string& file, Maps& maps);

  Read read_;
  std::map<std::string, Maps> known_;  // by directory
};

}  // namespace shadow::sensitive
