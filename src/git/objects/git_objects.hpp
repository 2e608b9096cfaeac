// SPDX-License-Identifier: MIT
// Texts from a git object store.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::git {

struct WantedBlob {
  std::string id;  // hexadecimal digits
  std::uint64_t size = 0;
};

// The blobs' contents, one for each wanted; nullopt for one that is not there (any more), is
// damaged, is no blob, or has another size. Of the repository nothing but its objects, packs and
// alternates is read, in a process of its own, and nothing is written.
[[nodiscard]] std::vector<std::optional<std::string>> read_blobs(
    const std::string& objects_dir, const std::vector<WantedBlob>& wanted);

}  // namespace shadow::git
