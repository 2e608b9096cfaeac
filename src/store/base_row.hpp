// SPDX-License-Identifier: MIT
// What is known of a base, as its row in the database has it.

#pragma once

#include "shadow/entry.hpp"

#include <string>

namespace shadow::store {

struct BaseRow {
  std::string source;  // "ledger", "tree", "apply", or "unknown": it is not certain
  bool certain = false;
  Entry entry;          // kind, mode, size, ino, times, target
  std::string hash;     // of a file's content, "" when not known
  bool stored = false;  // the content lies in the blobs under that hash
  std::string git_id;   // not empty: the content is this object of the project, not fetched yet
};

}  // namespace shadow::store
