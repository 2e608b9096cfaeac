// SPDX-License-Identifier: MIT
// The names in a git index file, and nothing else of it. libgit2 would check the file's hash, build
// every entry, and refuse a split index; a project of 100 000 files would wait for that.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::review {

struct IndexNames {
  std::vector<std::string> names;  // as they stand in the file; may repeat
  std::string shared_id;           // of a split index: hex name of the file with the other entries
};

// nullopt when the bytes are no index of version 2, 3 or 4.
[[nodiscard]] std::optional<IndexNames> parse_index(std::string_view bytes);

}  // namespace shadow::review
