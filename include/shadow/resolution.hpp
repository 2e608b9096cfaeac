// SPDX-License-Identifier: MIT
// The resolution of a path that both sides changed.

#pragma once

#include "shadow/rare_text.hpp"

#include <cstdint>

namespace shadow {

// What an apply does at a path.
enum class Verdict : std::uint8_t {
  Nothing,  // the project has it already, or only the project changed
  Write,    // the session's version
  Delete,   // as the session did
  Merge,    // writes something of both: the other words of a Resolution say what
  Conflict  // the two changes do not go together, for the reason `clash`
};

// The side whose part goes into a merge. Both: the two texts are merged.
enum class Side : std::uint8_t { Project, Session, Both };

// The reason for a conflict of the two changes.
enum class Clash : std::uint8_t {
  None,
  NoBase,         // what the session started from is not known
  NoText,         // its text is not kept
  BothAdded,      // a different one each
  GoneInProject,  // the session changed what the project deleted
  GoneInSession,  // the project changed what the session deleted
  Kind,           // something other than a file, or became so on one side
  TakesBack,      // the session has the base's text where the project changed it
  Lines,          // the same lines of a text
  Binary,         // not text
  TooLarge,       // for a merge
  Target,         // of symlinks
  Mode,
  Attributes
};

// What an apply makes of the two changes of a path.
struct Resolution {
  Verdict verdict = Verdict::Write;
  Side content = Side::Session;
  Side mode = Side::Session;
  Side attributes = Side::Session;  // extended attributes and ACLs, which are not merged
  Clash clash = Clash::None;

  // The session's text stands, and replaces some that the project changed since the base.
  bool replaces = false;

  // The other half of a rename that carries the project's edit along: of a deleted path the new
  // name, of another one the old name.
  RareText partner;
};

// "nothing", "write", "delete", "merge", "conflict".
[[nodiscard]] const char* to_word(Verdict verdict);

// The reason in words, as the end of "cannot apply 'x': ..."; "" for None.
[[nodiscard]] const char* to_sentence(Clash clash);

// That of whatever keeps a path from being written by OnConflict::Stop.
[[nodiscard]] const char* to_sentence(const Resolution& resolution);

}  // namespace shadow
