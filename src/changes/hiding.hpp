// SPDX-License-Identifier: MIT
// What hides a path of the project from a session that has nothing there: the nearest entry above.

#pragma once

#include "shadow/change.hpp"

#include "bases/capture/existence.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "overlay/read/nearest_entries.hpp"
#include "overlay/write/lift.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace shadow::changes {

class Hiding {
 public:
  // Borrows the session.
  explicit Hiding(const session::ReviewSession& session)
      : session_{session},
        entries_{session.upper.get()},
        stays_hidden_{bases::hidden_by_session(*session.db, session.dir, session.lower.get())} {}

  // True if the session cannot have seen what the project has at the path: it came there after the
  // session had deleted the directory, or made it anew, which hides all that the project has in it
  // (overlayfs, "whiteouts and opaque directories").
  [[nodiscard]] bool came_after(const std::string& path, const Entry& real) const;

  // True if the session lacks a directory of the project's that came there like that. Its change
  // time tells only of the last name in it: the base tree knows that there was none.
  [[nodiscard]] bool is_new_directory(const Change& change, bases::Existence& existence) const;

  // True if what the project has at the path, however old, may have come with a directory since the
  // session has hidden what is there. It may have been there before: that the base tree tells.
  [[nodiscard]] bool may_have_moved_in(const std::string& path) const;

  // True if the path lies in a directory that the project has got where the session had found, and
  // deleted, something else.
  [[nodiscard]] bool was_no_directory(const std::string& path) const;

 private:
  struct Place {
    std::int64_t hidden_ns = INT64_MAX;  // since when the session hides what is in it
    bool may_have_come = false;          // after that, it or one above it
  };

  [[nodiscard]] bool found_no_directory(const std::string& deleted) const;

  const session::ReviewSession& session_;
  overlay::NearestEntries entries_;
  overlay::StaysHidden stays_hidden_;
  mutable std::map<std::string, Place, std::less<>> places_;  // by directory
  mutable std::map<std::string, bool> no_directory_;          // by the path that is deleted
};

}  // namespace shadow::changes
