// SPDX-License-Identifier: MIT
#include "bases/capture/read_deletions.hpp"

namespace shadow::bases {
namespace {

constexpr std::size_t kMostOthers = 1'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

}  // namespace

ReadDeletions::ReadDeletions(const std::vector<TouchedEntry>& entries) {
  for (const TouchedEntry& touched : entries) {
    if (touched.entry->entry.kind == EntryKind::File) {
      sizes_.insert(touched.entry->entry.size);
    }
  }
}

bool ReadDeletions::has(const Base& base) {
  const std::uint64_t size = base.entry().size;
  const auto like = sizes_.lower_bound(size / 2);
  if (like != sizes_.end() && *like / 2 <= size) {
    return true;
  }
  if (others_ == kMostOthers || bytes_ + size > kMostBytes) {
    return false;
  }
  ++others_;
  bytes_ += size;
  return true;
}

}  // namespace shadow::bases
