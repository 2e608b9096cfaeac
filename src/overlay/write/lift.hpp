// SPDX-License-Identifier: MIT
// Making an upper's directories merge with the lower again, without changing the view.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace shadow::overlay {

// Of what an opaque or deleted directory has hidden, by its path: false for what came there later
// and shows from now on. Where there is no such function, nothing changes in the view.
using StaysHidden = std::function<bool(const std::string& path)>;

// Replaces the opaque mark of each directory on the way to `path`, and of `path` itself, by
// whiteouts and opaque directories one level further down, from the top. The first `known` bytes of
// the path are a directory for which this was done already (0: none).
void lift(int upper, int lower, const std::string& path, std::size_t known = 0,
          const StaysHidden& stays_hidden = {});

// The same for a directory of the upper that was made as a copy of the lower's, and is opaque only
// because another one had been deleted there: of what the mark hid, what was copied is deleted, and
// the rest came later and shows from now on. Changes the view by just that.
void lift_copy(int upper, int lower, const std::string& path, const StaysHidden& was_copied);

// Makes room for the lower's entry at `path` to show through: lifts the directories on the way, and
// turns those that were deleted into ones in which all but the way is deleted. Throws Error when a
// parent is something else than a directory in the upper.
void make_way(int upper, int lower, const std::string& path, const StaysHidden& stays_hidden = {});

// Throws what make_way would for one of `paths`, which are dropped together and in this order,
// where the lower has something. Writes nothing.
void require_way(int upper, int lower, const std::vector<std::string>& paths);

}  // namespace shadow::overlay
