// SPDX-License-Identifier: MIT
#include "refresh/steady.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
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
  Entry whiteout = overlay::look_beneath(session.upper.get(), step.path);
  if (!overlay::is_whiteout(whiteout)) {
    throw_changing(step.path);  // a run has made something there since
  }
  return whiteout;
}

}  // namespace shadow::refresh
