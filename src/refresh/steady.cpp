// SPDX-License-Identifier: MIT
#include "refresh/steady.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
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
  const sys::Fd above =
      sys::try_open_beneath(session.upper.get(), sys::split_path(step.path).parent, sys::kDirPath);
  if (own.exists() ? !overlay::is_whiteout(own) : !above) {
    throw_changing(step.path);  // a run has made something there since
  }
  return own;
}

}  // namespace shadow::refresh
