// SPDX-License-Identifier: MIT
#include "helpers/program.hpp"

#include "shadow/session.hpp"

#include "cli/program.hpp"
#include "cli/review.hpp"
#include "follow/follow.hpp"
#include "refresh/catch_up.hpp"
#include "refresh/keep_up_git.hpp"
#include "session/directory/background.hpp"
#include "sys/namespaces/own_namespace.hpp"
#include "sys/processes/memory_bound.hpp"
#include "upkeep/clean_up.hpp"
#include "upkeep/keep_bases.hpp"
#include "upkeep/reserve.hpp"
#include "upkeep/tally.hpp"

#include <csignal>

#include <unistd.h>

namespace shadow::helpers {

namespace {

// Does the background work that the words request. False if they request none.
bool work_unseen(const std::vector<std::string>& words) {
  constexpr unsigned kMostSeconds = 10;  // where a run waits for it
  if (words.size() == 2 && words[0] == session::kKeepBases) {
    upkeep::keep_bases(StateDir::open(), words[1]);
    return true;
  }
  if (words.size() == 2 && words[0] == session::kFollow) {
    (void)sys::enter_own_user_namespace();
    follow::follow_project(StateDir::open(), words[1]);
    return true;
  }
  if (words.size() == 2 && words[0] == session::kKeepUpGit) {
    // What a run has made of its git directory may take as long as it likes.
    (void)::alarm(kMostSeconds);
    refresh::keep_up_idle_git(StateDir::open(), words[1]);
    return true;
  }
  if (words.size() == 2 && words[0] == session::kShowInMadeAnew) {
    (void)sys::enter_own_user_namespace();
    (void)::alarm(kMostSeconds);
    refresh::show_in_made_anew(StateDir::open(), words[1]);
    return true;
  }
  if (words.size() >= 2 && words[0] == session::kCount) {
    (void)sys::enter_own_user_namespace();
    upkeep::count_sessions(StateDir::open(), {words.begin() + 1, words.end()});
    return true;
  }
  if (words.size() == 2 && words[0] == session::kCleanUp) {
    (void)sys::enter_own_user_namespace();
    upkeep::run_clean_up(StateDir::open(), words[1]);
    refresh::catch_up_at_rest(StateDir::open(), words[1]);
    return true;
  }
  return false;
}

void prepare_command(cli::Needs needs) {
  // A reader that goes away must not end an apply halfway: writing to it fails instead.
  (void)std::signal(SIGPIPE, SIG_IGN);
  // Nor must a limit on the size of files.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  // Files of mode 0 are part of a session too; where the kernel refuses, they are reported.
  (void)sys::enter_own_user_namespace();
  if (needs == cli::Needs::State) {
    upkeep::use_reserve_if_full(StateDir::open());
  }
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  cli::Glance seen;
  return cli::guarded(seen, [&] {
    // A session may be larger than what there is to look at it with.
    sys::bound_memory();
    return work_unseen(words) ? 0 : cli::review(words, seen, prepare_command);
  });
}

}  // namespace shadow::helpers
