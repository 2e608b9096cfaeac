// SPDX-License-Identifier: MIT
// Whether the session's version of a path can have been made from what the project has there now.

#pragma once

#include "shadow/conflict.hpp"
#include "shadow/entry.hpp"

#include "bases/ledger/copies.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/bases.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace shadow::bases {

// Times in nanoseconds, as files are stamped.
struct SightFacts {
  std::int64_t real_changed_ns = 0;  // the project's entry, last
  std::int64_t written_ns = 0;       // the session's content, last
  std::int64_t hidden_ns = 0;        // by then the session's entry hid the project's
  std::int64_t began_ns = 0;         // of the earliest run that may have put it there
};

// An entry of the session hides the project's from it: what the project changes from then on, no
// run has read. A run that began after the project's last change has read that if anything.
[[nodiscard]] Seen sight_of(const SightFacts& facts);

// When the entry got its content, at the latest. Who writes can set a file's modification time, but
// not to a later one than the change time; from an earlier one it follows that the two changes are
// merged.
[[nodiscard]] std::int64_t content_written_ns(const Entry& session);

// When the entry was changed in any way. What the session deleted has no time of its own: since
// when it hides the project's is all that is known.
[[nodiscard]] std::int64_t entry_written_ns(const Entry& session);

// A session's entry that has the base's content, where the project has another thing.
struct UndoFacts {
  EntryKind session = EntryKind::Absent;
  Seen seen = Seen::No;    // the entry
  bool copied_up = false;  // it was made from a real one
  bool empty = false;      // a directory with nothing in it
  bool base_time = false;  // with the base's time of last modification
};

// Whether the session may have made it so when the project had that other thing already: then it is
// a change, of which it is not known what it was made from. An entry that was copied up keeps the
// file's time.
[[nodiscard]] bool may_undo(const UndoFacts& facts);

// For the paths of one session, which it borrows.
class Sight {
 public:
  explicit Sight(const session::ReviewSession& session);

  // Of what the session wrote then. Where the project's had been put into the upper, it has seen
  // that, and of a later one nothing.
  [[nodiscard]] Seen of(const std::string& path, const Entry& real, std::int64_t written_ns,
                        const Base& base) const;

 private:
  const session::ReviewSession& session_;
  std::int64_t first_base_time_ns_;  // no base of the session's is older
  std::set<std::string> applied_;    // and still in the upper
  Copies copies_;
};

}  // namespace shadow::bases
