// SPDX-License-Identifier: MIT
// After the tree is wholly written: pre-images go where undo finds them, staging names go away,
// directories get their final modes. Can be interrupted and repeated.

#pragma once

#include "shadow/apply.hpp"

#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::promote {

void finish(Tree& tree, const ApplySite& site, std::int64_t apply, const EachRow& each,
            std::vector<std::string>& left);

}  // namespace shadow::promote
