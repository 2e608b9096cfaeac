// SPDX-License-Identifier: MIT
#include "follow/base_names.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "bases/tree/base_tree.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace shadow::follow {

namespace {

constexpr std::size_t kMostGone = 10'000;

std::uint64_t hash_of(std::string_view path) {
  return hash_bytes(path).low;
}

// True if a name can have gone from the directory after the base time, and the session can make it
// again: not in one that is gone and that the session does not have.
bool may_lack_names(const session::ReviewSession& session, std::string_view directory,
                    std::int64_t base_time_ns) try {
  const Entry real = overlay::look_beneath(session.lower.get(), directory);
  return real.exists() ? real.ctime_ns > base_time_ns
                       : overlay::look_beneath(session.upper.get(), directory).exists();
} catch (const Error&) {
  return false;  // it may not be looked into
}

bool is_gone(const session::ReviewSession& session, const std::string& path) try {
  return !overlay::look_beneath(session.lower.get(), path).exists();
} catch (const Error&) {
  return false;  // nobody knows
}

}  // namespace

BaseNames::BaseNames(const session::ReviewSession& session) {
  const auto facts = session.dir.read_facts();
  const auto tree = bases::read_base_tree(session.dir.fd());
  if (!facts || !tree) {
    return;
  }
  hashes_.reserve(tree->entries.size());
  std::optional<std::string_view> directory;
  bool may_lack = false;
  for (const bases::TreeEntry& entry : tree->entries) {
    hashes_.push_back(hash_of(entry.path));
    const std::string_view parent = sys::split_path(entry.path).parent;
    if (parent != directory) {
      directory = parent;
      may_lack = may_lack_names(session, parent, facts->base_time_ns);
    }
    if (may_lack && gone_.size() < kMostGone && is_gone(session, entry.path)) {
      gone_.push_back(entry.path);
    }
  }
  std::sort(hashes_.begin(), hashes_.end());
}

bool BaseNames::has(std::string_view path) const {
  return std::binary_search(hashes_.begin(), hashes_.end(), hash_of(path));
}

}  // namespace shadow::follow
