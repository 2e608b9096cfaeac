// SPDX-License-Identifier: MIT
#include "watch/session_watch.hpp"

#include "shadow/error.hpp"

#include "sys/files/clock.hpp"
#include "watch/project_watch.hpp"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace shadow::watch {
namespace {

constexpr int kNoUpper = -1;

TreeWatch::Reach all(const std::string& path) {
  (void)path;
  return TreeWatch::Reach::All;
}

TreeWatch::Reach none(const std::string& path) {
  (void)path;
  return TreeWatch::Reach::None;
}

// True if there is something to read within this time; -1 waits for ever.
bool ready(int fd, int milliseconds) {
  pollfd one{fd, POLLIN, 0};
  const int count = ::poll(&one, 1, milliseconds);
  if (count < 0 && errno != EINTR) {
    throw_errno("wait for changes");
  }
  return count > 0;
}

}  // namespace

SessionWatch::SessionWatch(const session::ReviewSession& session)
    : layers_{kNoUpper, session.lower.get()},
      rules_{changes::make_ignore_rules(layers_, session.project.root)} {
  const std::string own = sys::proc_path(session.dir.fd());
  complete_ = watch_project(watch_, session.project.root, rules_);
  complete_ = watch_.add_tree(own + "/project/upper", all) && complete_;
  if (::faccessat(session.dir.fd(), "gitdir/upper", F_OK, 0) == 0) {
    complete_ = watch_.add_tree(own + "/gitdir/upper", all) && complete_;
  }
  // The session's own files change when a run begins or ends.
  complete_ = watch_.add_tree(own, none) && complete_;
}

void SessionWatch::wait() {
  constexpr int kForEver = -1;
  constexpr int kNowAndThen = 2000;
  constexpr int kQuiet = 40;
  constexpr std::int64_t kAtMost = 200'000'000;
  if (!ready(watch_.fd(), complete_ ? kForEver : kNowAndThen)) {
    return;
  }
  const std::int64_t end = sys::monotonic_ns() + kAtMost;
  do {
    complete_ = watch_.read().complete && complete_;
  } while (ready(watch_.fd(), kQuiet) && sys::monotonic_ns() < end);
}

}  // namespace shadow::watch
