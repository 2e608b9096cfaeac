// SPDX-License-Identifier: MIT
// git's index file, and a split one with its shared part behind a mark. What the user's git wrote
// is harmless; what lies at that place need not be.

#include "fuzz/target.hpp"
#include "git/index/git_index.hpp"

#include <algorithm>

namespace {

constexpr std::string_view kShared = "\xff\xfeSPLIT";

bool by_path(const shadow::git::IndexEntry& a, const shadow::git::IndexEntry& b) {
  return a.path < b.path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  (void)shadow::git::parse_index(bytes);
  const std::size_t mark = std::min(bytes.find(kShared), bytes.size());
  const auto split = shadow::git::parse_index_entries(bytes.substr(0, mark));
  if (!split) {
    return 0;
  }
  constexpr std::size_t kSha1 = 20;
  constexpr std::size_t kSha256 = 32;
  for (const auto& entry : split->entries) {
    fuzz::require(entry.id.size() == kSha1 || entry.id.size() == kSha256, "an id is a hash");
  }
  const auto shared =
      shadow::git::parse_index_entries(bytes.substr(std::min(mark + kShared.size(), bytes.size())));
  const auto joined =
      shadow::git::join_split_index(*split, shared ? shared->entries : split->entries);
  fuzz::require(!joined || std::is_sorted(joined->begin(), joined->end(), by_path),
                "a joined index is in the order of paths");
  return 0;
}
