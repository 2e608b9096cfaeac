// SPDX-License-Identifier: MIT
// /proc/self/mountinfo, for diagnosis.

#pragma once

#include <string>
#include <vector>

namespace shadow::sys {

struct MountInfo {
  std::string point;
  std::string type;
};

[[nodiscard]] std::vector<MountInfo> read_mountinfo();

// Mount points strictly below the directory.
[[nodiscard]] std::vector<MountInfo> mounts_below(const std::string& directory);

}  // namespace shadow::sys
