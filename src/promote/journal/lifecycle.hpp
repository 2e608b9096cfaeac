// SPDX-License-Identifier: MIT
// The states of an apply, and what leads from one to the next. An undo is an apply of its own that
// names what it took back.
//
//   Staging --staged--> Swapping --committed--> Done <--> Undone
//
// One that is rolled back from Staging or Swapping leaves no row.

#pragma once

#include "store/database/database.hpp"
#include "store/tables/applies.hpp"

namespace shadow::promote {

// True if the apply was written completely: recovery finishes it, and rolls back any other.
[[nodiscard]] bool is_written(store::ApplyState state);

// Everything is staged; the project is written from here on.
void mark_swapping(store::Database& database, store::ApplyRow& apply);

// It is wholly written. What it took back is undone by that; what *that* had taken back, if it was
// an undo itself, is in force again, and so on down to the apply at the end of the chain. Part of a
// transaction of the caller's.
void mark_done(store::Database& database, store::ApplyRow& apply);

}  // namespace shadow::promote
