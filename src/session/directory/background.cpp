// SPDX-License-Identifier: MIT
#include "session/directory/background.hpp"

#include "shadow/error.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/environ_with.hpp"
#include "sys/processes/helper_program.hpp"
#include "sys/processes/process.hpp"
#include "sys/processes/spawn.hpp"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace shadow::session {
namespace {

// Locked by who follows; empty, or how where that is not the usual way.
constexpr const char* kFollowing = "following";
constexpr const char* kByTime = "time\n";

// The program inherits, beside the standard descriptors, nothing or a session's two locks.
using Inherited = std::array<int, 2>;
constexpr Inherited kNothing = {-1, -1};

// Between vfork(2) and the program: nothing is allocated and nothing thrown.
void become(const sys::HelperPlaces& program, char* const* argv, char* const* environment,
            const Inherited& inherited, sys::Priority priority) {
  // Out of the way first: one that is to be inherited may have the number that another is to get.
  constexpr int kAbove = 16;
  constexpr unsigned kFirst = 3;
  unsigned next = kFirst;
  Inherited copies = kNothing;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    copies[i] = inherited[i] < 0 ? -1 : ::fcntl(inherited[i], F_DUPFD, kAbove);
  }
  for (const int fd : copies) {
    if (fd >= 0) {
      ::dup2(fd, static_cast<int>(next++));  // stays open over the exec
    }
  }
  ::close_range(next, ~0U, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (sys::detach_from_caller(priority)) {
    sys::execute_helper(program, argv, environment);
  }
  ::_exit(1);
}

// The session's directory is STATE/sessions/ID.
std::string state_of(const SessionDir& session) {
  const std::string& path = session.path();
  return path.substr(0, path.size() - std::string_view{"/sessions/"}.size() - session.id().size());
}

enum class Wait : std::uint8_t { No, ForItsEnd };

// Starts shadow-review with a word of its own and the sessions' ids. Nobody's child, unless it is
// waited for: the one between is gone at once, so that no zombie is left for the length of a run.
void start(const char* word, const std::string& state, const std::vector<std::string>& sessions,
           const Inherited& inherited, sys::Priority priority = sys::Priority::Behind,
           Wait wait = Wait::No) {
  const sys::HelperPlaces program = sys::helper_places("shadow-review");
  std::vector<std::string> words = {"shadow", word};
  words.insert(words.end(), sessions.begin(), sessions.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& one : words) {
    argv.push_back(one.data());
  }
  argv.push_back(nullptr);
  // A program that opened the state by its path need not have it in its environment.
  const sys::EnvironWith environment{"SHADOW_STATE_DIR", state};
  const pid_t between = sys::run_sharing_memory(sys::Descriptors::Copied, [&] {
    if (wait == Wait::ForItsEnd) {
      become(program, argv.data(), environment.get(), inherited, priority);
    }
    try {
      (void)sys::run_sharing_memory(sys::Descriptors::Copied, [&] {
        become(program, argv.data(), environment.get(), inherited, priority);
      });
    } catch (const Error&) {
      ::_exit(1);  // the next command of the session sees to it
    }
  });
  sys::wait_for(between);
}

}  // namespace

void keep_bases_in_background(const SessionDir& session) {
  start(kKeepBases, state_of(session), {session.id()}, kNothing, sys::Priority::Same);
}

void count_in_background(const StateDir& state, const std::vector<std::string>& sessions) {
  try {
    start(kCount, state.path(), sessions, kNothing);
  } catch (const Error&) {
    return;
  }
}

void follow_in_background(const SessionDir& session) {
  if (try_lock_following(session)) {
    // Somebody waits for it: a run that is to see what was saved.
    start(kFollow, state_of(session), {session.id()}, kNothing, sys::Priority::Same);
  }
}

std::optional<sys::FileLock> try_lock_following(const SessionDir& session) {
  return sys::try_lock_file_at(session.fd(), kFollowing, sys::LockMode::Exclusive);
}

void note_following(const SessionDir& session, FollowedBy how) {
  const sys::Fd file = sys::open_at(session.fd(), kFollowing, O_WRONLY | O_TRUNC | O_NOFOLLOW);
  if (how == FollowedBy::Time) {
    sys::write_all(file.get(), kByTime);
  }
}

FollowedBy how_followed(const SessionDir& session) {
  return sys::read_file_at(session.fd(), kFollowing) == kByTime ? FollowedBy::Time
                                                                : FollowedBy::Events;
}

std::optional<std::int64_t> followed_since(const SessionDir& session) {
  const Entry noted = overlay::look_at(session.fd(), kFollowing);
  return noted.exists() && how_followed(session) == FollowedBy::Events
             ? std::optional{noted.mtime_ns}
             : std::nullopt;
}

void clean_up_in_background(const SessionDir& session, int lock, int idle) {
  start(kCleanUp, state_of(session), {session.id()}, {lock, idle});
}

void keep_up_git(const SessionDir& session, int lock, int idle) {
  start(kKeepUpGit, state_of(session), {session.id()}, {lock, idle}, sys::Priority::Same,
        Wait::ForItsEnd);
}

void show_in_made_anew(const SessionDir& session, int lock, int idle) {
  start(kShowInMadeAnew, state_of(session), {session.id()}, {lock, idle}, sys::Priority::Same,
        Wait::ForItsEnd);
}

}  // namespace shadow::session
