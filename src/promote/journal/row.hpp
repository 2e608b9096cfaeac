// SPDX-License-Identifier: MIT
// A row of an apply's journal, as the database has it: the word that this room uses for it.

#pragma once

#include "store/tables/applies.hpp"

#include <functional>

namespace shadow::promote {

using Row = store::ApplyStepRow;
using store::StagedIdentity;

// Goes through the rows of an apply in one order or the other, as the database has them.
using EachRow = std::function<void(store::StepOrder, const std::function<void(Row&)>&)>;

}  // namespace shadow::promote
