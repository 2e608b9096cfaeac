// SPDX-License-Identifier: MIT
// Reads an upper: walks over its entries and compares them with the lower.
//
// Both trees may be hostile (an agent wrote the upper): every name is opened relative to a
// directory descriptor, O_NOFOLLOW; FIFOs and devices are never opened for reading.

#pragma once

#include "shadow/change.hpp"
#include "shadow/entry.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::overlay {

// TreeAnswer about a subtree before it is walked; false leaves it out. Paths are relative to the
// layer.
using Wanted = std::function<bool(std::string_view path, bool directory)>;

// The change set of an upper over a lower: cost follows the entries of the upper (and what an
// opaque or deleted directory hides in the lower), never the size of the lower. An entry that was
// copied up but equals the lower in type, content, mode, link target and user.* attributes is no
// change; nor is anything of the root itself (its mode is the layer's, see create_layer). `wanted`
// is asked for every name; empty means everything. Throws SysError naming the path; StaleError when
// a file changed while it was compared; Error when what is deleted is nested too deeply to be
// listed.
[[nodiscard]] ChangeSet scan(int upper, int lower, const Wanted& wanted = {});

// One entry as it lies in the upper.
enum class UpperKind : std::uint8_t { Plain, Whiteout, MergedDir, OpaqueDir };
struct UpperEntry {
  std::string path;
  UpperKind kind = UpperKind::Plain;
  Entry entry;
};

// Calls `visit` with all entries but what is too deep, parents before children, siblings sorted.
// Looks at the upper alone, and keeps the names of the directories that it is in. Throws SysError
// naming the path.
void walk_upper(int upper, const std::function<void(UpperEntry)>& visit);

// The same, as a list.
[[nodiscard]] std::vector<UpperEntry> list_upper(int upper);

}  // namespace shadow::overlay
