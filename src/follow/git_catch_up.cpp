// SPDX-License-Identifier: MIT
#include "follow/git_catch_up.hpp"

#include "shadow/error.hpp"

#include "refresh/keep_up_git.hpp"
#include "session/directory/followed_head.hpp"
#include "sys/files/clock.hpp"

#include <algorithm>
#include <string>

namespace shadow::follow {

void GitCatchUp::note(const watch::TreeWatch::News& news) {
  const auto is_of_a_ref = [](const std::string& name) {
    return name == ".git/HEAD" || name == ".git/packed-refs" || name.starts_with(".git/refs/");
  };
  moved_ = moved_ || news.more || std::any_of(news.names.begin(), news.names.end(), is_of_a_ref);
  if (news.changed && outside_) {
    look();
  }
}

// While it is being tried again the index is behind in any case.
void GitCatchUp::look() {
  moved_ = moved_ || (!at_ && session::is_index_behind(session_.dir));
}

void GitCatchUp::refreshed(std::int64_t now) {
  if (moved_) {
    moved_ = false;
    at_ = now;
    wait_ = 0;
  }
}

void GitCatchUp::try_if_due() {
  // As soon as a git command of the run's is over; while a merge waits for the agent, for a
  // hundredth of the time at most. To open a view that has very many names takes long.
  constexpr std::int64_t kFirst = 5'000'000;
  constexpr std::int64_t kMost = 2'000'000'000;
  constexpr std::int64_t kRest = 99;
  const std::int64_t begin = sys::monotonic_ns();
  if (!at_ || *at_ > begin) {
    return;
  }
  if (is_done()) {
    at_.reset();
    return;
  }
  const std::int64_t end = sys::monotonic_ns();
  wait_ = std::clamp(2 * wait_, kFirst, kMost);
  at_ = end + (wait_ < kMost ? wait_ : std::max(kMost, kRest * (end - begin)));
}

bool GitCatchUp::is_done() const {
  try {
    return refresh::keep_up_live_git(state_, session_.row.id);
  } catch (const Error&) {
    return false;  // the run ends, or puts something in the place of its git directory just now
  }
}

}  // namespace shadow::follow
