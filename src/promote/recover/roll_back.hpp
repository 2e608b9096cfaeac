// SPDX-License-Identifier: MIT
// Rolling back: from the journal and what the names hold, at whatever moment the apply ended. Every
// part looks before it acts and can be repeated.

#pragma once

#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"

#include <string>
#include <vector>

namespace shadow::promote {

// Puts back what the rows found, last step first, and removes what they staged. A path that holds
// neither of the two stays, with a sentence in `left`.
void roll_back(Tree& tree, const EachRow& each, std::vector<std::string>& left);

// Gives directories that were worked in (mode | u+rwx) the mode that `final_mode` says.
void restore_directory_mode(Tree& tree, const Row& row, std::uint64_t ino,
                            std::uint32_t final_mode);

// Puts an entry from `from` back to row.path; when something else is there by now, beside it.
void put_back(Tree& tree, const Row& row, const std::string& from, std::vector<std::string>& left);

}  // namespace shadow::promote
