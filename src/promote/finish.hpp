// SPDX-License-Identifier: MIT
// After the tree is wholly written: pre-images go to the blobs, staging names go away, directories
// get their final modes. Can be interrupted and repeated.

#pragma once

#include "promote/journal.hpp"
#include "promote/tree.hpp"
#include "store/blobs.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::promote {

void finish(Tree& tree, store::Database& database, store::Blobs& blobs, std::int64_t apply,
            std::vector<Row>& rows, std::vector<std::string>& left);

}  // namespace shadow::promote
