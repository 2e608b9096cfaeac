// SPDX-License-Identifier: MIT
// A row of an apply's journal, as the database has it: the word that this room uses for it.

#pragma once

#include "store/tables/applies.hpp"

namespace shadow::promote {

using Row = store::ApplyStepRow;

}  // namespace shadow::promote
