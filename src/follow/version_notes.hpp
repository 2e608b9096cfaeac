// SPDX-License-Identifier: MIT
// Notes what a live view shows of what the user saves. A run may make its own of that, and the user
// may go on or back before anybody looks at what it made: by then only the note tells what the
// session's entry was made from.

#pragma once

#include "shadow/session.hpp"

#include "follow/base_names.hpp"
#include "git/patterns/ignore.hpp"
#include "session/directory/review_session.hpp"
#include "store/database/database.hpp"
#include "store/tables/shown_versions.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow::follow {

class VersionNotes {
 public:
  // Borrows all of it.
  VersionNotes(const StateDir& state, const session::ReviewSession& session,
               git::IgnoreRules& rules)
      : state_{state}, session_{session}, rules_{rules} {}

  // What changed, by path below the project; false for what was only made, and is written next.
  void add(const std::map<std::string, bool>& touched);

  // The session has new entries of which no event tells: their bases are settled with what is noted
  // next.
  void settle_soon() { settle_ = true; }

  // The view has by now forgotten what it knew of all that was added.
  void shown();

  // The time at which there is something to note (sys::monotonic_ns).
  [[nodiscard]] std::optional<std::int64_t> next() const;

  // Notes some of it, where the session has no entry that hides it, and settles the bases of
  // entries that do and are new: what was there before them is known now.
  void note_some();

 private:
  struct Found {
    std::string path;
    store::ShownVersion version{0, Base::absent(BaseSource::Tree)};
    std::optional<std::string> text;
    std::vector<std::int64_t> forget;  // earlier ones of the path
  };

  void look_at_some(store::Database& db);
  void add_gone();
  void note(store::Database& db, const std::string& path, bool written);
  void expand(const std::string& directory);
  void note_below(store::Database& db, const std::string& directory);
  [[nodiscard]] std::string hidden_by(const std::string& path) const;
  void put(store::Database& db, const std::string& path, const Entry& real);
  [[nodiscard]] std::optional<std::string> text_of(const std::string& path, const Entry& real);
  void write(store::Database& db);
  void settle(store::Database& db) const;

  const StateDir& state_;
  const session::ReviewSession& session_;
  git::IgnoreRules& rules_;
  std::optional<BaseNames> base_names_;  // read when there is a base tree
  std::map<std::string, bool> waiting_;  // for the view
  std::map<std::string, bool> ready_;
  std::vector<Found> found_;  // to be written
  std::int64_t not_before_ns_ = 0;
  store::ShownSize size_;  // with what is to be written
  bool settle_ = true;     // of what the user changed before, no event has told
};

}  // namespace shadow::follow
