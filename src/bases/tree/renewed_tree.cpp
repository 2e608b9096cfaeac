// SPDX-License-Identifier: MIT
#include "bases/tree/renewed_tree.hpp"

#include "bases/tree/base_tree_take.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/fd.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace shadow::bases {
namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

// The entries at the path and below it, as a half-open range.
std::pair<std::size_t, std::size_t> below(const std::vector<TreeEntry>& entries,
                                          const std::string& path) {
  const auto place = [&entries](const std::string& at) {
    const auto found = std::lower_bound(
        entries.begin(), entries.end(), at,
        [](const TreeEntry& entry, const std::string& wanted) { return entry.path < wanted; });
    return static_cast<std::size_t>(found - entries.begin());
  };
  // '0' follows '/'.
  return {place(path + '/'), place(path + '0')};
}

}  // namespace

BaseTree take_renewed_tree(const std::string& project, std::int64_t renewed_ns, int upper,
                           store::Blobs& blobs, const std::function<void()>& before_reading) {
  BaseTree tree = take_base_tree(project, INT64_MAX, blobs, {}, before_reading);
  const sys::Fd root = sys::open_path(project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // After all was looked at: what has no entry by now had none then.
  std::vector<bool> unsure(tree.entries.size(), false);
  std::set<std::string> copied;
  for (const UpperEntry& touched : overlay::list_upper(upper)) {
    if (touched.kind == UpperKind::MergedDir) {
      copied.insert(touched.path);
      continue;
    }
    auto [at, end] = below(tree.entries, touched.path);
    bool hides = at < end;
    for (; at < end; ++at) {
      unsure[at] = tree.entries[at].entry.ctime_ns > renewed_ns;
    }
    if (const TreeEntry* known = tree.find(touched.path)) {
      const auto own = static_cast<std::size_t>(known - tree.entries.data());
      unsure[own] = known->entry.ctime_ns > renewed_ns;
      hides = hides || unsure[own];
    } else {
      // Or something else was there by then.
      hides = hides || overlay::look_nearest(root.get(), touched.path).entry.ctime_ns > renewed_ns;
    }
    if (hides) {
      tree.unknown.push_back(touched.path);
    }
  }
  // Of what the session has of its own it is not the rights of today that it had first.
  std::erase_if(tree.directories, [&copied](const TreeDirectory& directory) {
    return copied.count(directory.path) != 0;
  });
  std::size_t at = 0;
  std::erase_if(tree.entries, [&](const TreeEntry&) { return unsure[at++]; });
  std::sort(tree.unknown.begin(), tree.unknown.end());
  return tree;
}

}  // namespace shadow::bases
