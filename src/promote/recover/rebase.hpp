// SPDX-License-Identifier: MIT
// Sessions' bases after a roll-back: what was moved away and back has another change time, and is
// what it was.

#pragma once

#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"
#include "store/database/database.hpp"

#include <string>
#include <vector>

namespace shadow::promote {

// For every session of the project for which a row had found the base, makes the entry as it is now
// the base: its content is known as it was. A path that is not the row's entry again, or was no
// longer the base when the apply began, keeps its base. Part of a transaction of the caller's.
void renew_bases(Tree& tree, store::Database& database, const std::string& project,
                 const EachRow& each);

}  // namespace shadow::promote
