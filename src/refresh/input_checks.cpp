// SPDX-License-Identifier: MIT
#include "refresh/input_checks.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/nearest_entries.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"

namespace shadow::refresh {
namespace {

[[noreturn]] void throw_changing(const std::string& path) {
  throw StaleError{"cannot refresh " + quoted(path) + ": it changes all the time",
                   "try again",
                   ExitCode::Refused,
                   {path}};
}

// True if the directory that holds the path, or the nearest above that the upper has, can hide it.
bool is_hidden_by_directory(const session::ReviewSession& session, const std::string& path) {
  const int upper = session.upper.get();
  const auto nearest = overlay::NearestEntries{upper}.above(sys::split_path(path).parent);
  if (overlay::is_whiteout(nearest.entry)) {
    return true;
  }
  return nearest.entry.kind == EntryKind::Directory &&
         (nearest.path == sys::split_path(path).parent ||
          overlay::is_opaque_directory(upper, nearest.path));
}

}  // namespace

void let_tick_pass(const Entry& real) {
  if (real.ctime_ns <= sys::coarse_now_ns()) {
    sys::wait_for_coarse_tick(real.ctime_ns);
  }
}

void require_same(const Entry& now, const Entry& then, const std::string& path) {
  const bool same =
      now.exists() || then.exists() ? now.kind == then.kind && same_state(now, then) : true;
  if (!same) {
    throw_changing(path);
  }
}

Entry reviewed_entry(const session::ReviewSession& session, const RefreshStep& step) {
  if (step.item.change.after.exists()) {
    return step.item.change.after;
  }
  // A whiteout, or nothing in a directory that shows nothing of the project's.
  Entry own = overlay::look_beneath(session.upper.get(), step.path);
  if (own.exists() ? !overlay::is_whiteout(own) : !is_hidden_by_directory(session, step.path)) {
    throw_changing(step.path);  // a run has made something there since
  }
  return own;
}

}  // namespace shadow::refresh
