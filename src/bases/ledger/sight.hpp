// SPDX-License-Identifier: MIT
// Decides whether the session's version of a path can have been made from the project's present
// one.

#pragma once

#include "shadow/entry.hpp"

#include "bases/ledger/copies.hpp"
#include "bases/tree/base_tree.hpp"
#include "promote/plan/conflict.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/runs.hpp"

#include <cstdint>
#include <map>
#include <optional>
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
[[nodiscard]] promote::Seen sight_of(const SightFacts& facts);

// The latest time at which the entry got its content. A writer can set a file's modification time,
// but not to a later one than the change time; an earlier one leads to a merge of the two changes.
[[nodiscard]] std::int64_t content_written_ns(const Entry& session);

// The time of the entry's last change of any kind. A deletion has no time of its own; only the time
// since which it hides the project's is known.
[[nodiscard]] std::int64_t entry_written_ns(const Entry& session);

// A session's entry that has the base's content, where the project has another thing.
struct UndoFacts {
  EntryKind session = EntryKind::Absent;
  promote::Seen seen = promote::Seen::No;  // the entry
  bool copied_up = false;                  // it was made from a real one
  bool empty = false;       // a directory with nothing in it, not older than the base
  bool base_time = false;   // with the base's time of last modification
  bool made_later = false;  // it came there when the project had what it has now
};

// True if the session may have made the entry when the project already had another one: then it is
// a change with an unknown origin. An entry that was copied up keeps the file's time, and so does
// one that was moved.
[[nodiscard]] bool may_undo(const UndoFacts& facts);

// For the paths of one session, which it borrows.
class Sight {
 public:
  explicit Sight(const session::ReviewSession& session);

  // For a version that the session wrote at that time. If the project's version had been copied
  // into the upper, the session has seen that one and no later one.
  [[nodiscard]] promote::Seen of(const std::string& path, const Entry& real,
                                 std::int64_t written_ns, const Base& base) const;

  // True if what the session has there came as a copy of this version of the project's, whatever a
  // run has made of it.
  [[nodiscard]] bool has_shown(const std::string& path, const Entry& real) const {
    return copies_.has_shown(path, real);
  }

  // True if the session's entry came to the path after the project's last change there, of which
  // the time is known: it is no copy of what was there before.
  [[nodiscard]] bool is_later(const std::string& path, const Entry& real) const;

  // True if the session had nothing of its own when it was used after the project's last change:
  // whatever it has made of the path, it has made of that.
  [[nodiscard]] bool has_taken_over(const std::string& path, const Entry& real) const;

 private:
  // Since when the session's entry, or what it had in the place of a directory above, hides the
  // project's; nullopt if nobody has looked at the entry yet.
  [[nodiscard]] std::optional<store::Hidden> hidden_since(const std::string& path) const;

  // True if a file in the directory has been there since before the base tree, untouched since the
  // session began anew: then no other directory was put in its place.
  [[nodiscard]] bool has_stayed(const std::string& directory) const;

  const session::ReviewSession& session_;
  std::int64_t first_base_time_ns_;  // no base of the session's is older
  std::int64_t anew_ns_;             // when it last began anew
  std::set<std::string> applied_;    // and still in the upper
  Copies copies_;
  mutable bool tree_read_ = false;
  mutable std::optional<BaseTree> tree_;
  mutable std::map<std::string, bool> stayed_;  // by directory
};

}  // namespace shadow::bases
