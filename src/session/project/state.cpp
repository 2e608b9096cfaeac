// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/session.hpp"

#include "base/text.hpp"
#include "policy/config.hpp"
#include "policy/config_file.hpp"
#include "sandbox/mounts/state_place.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

struct Wanted {
  std::string path;
  std::string origin;
};

std::string named(const std::string& value) {
  return value == policy::kStateInMemory ? sandbox::state_in_memory() : value;
}

Wanted wanted_path() {
  if (auto path = sys::environment("SHADOW_STATE_DIR"); path && !path->empty()) {
    return {named(*path), "$SHADOW_STATE_DIR"};
  }
  // Before XDG_STATE_HOME: a client that passes few variables on is to find the same place.
  if (auto path = policy::configured_state_dir()) {
    return {named(*path), "state_dir in the configuration"};
  }
  // The XDG specification: a relative value is invalid and to be ignored.
  if (auto base = sys::environment("XDG_STATE_HOME"); base && base->starts_with('/')) {
    return {*base + "/shadow", "$XDG_STATE_HOME"};
  }
  const std::string home = sys::environment("HOME").value_or("");
  if (home.starts_with('/')) {
    return {(home == "/" ? "" : home) + "/.local/state/shadow", "$HOME"};
  }
  throw Error{"cannot find a place for the state: " +
                  (home.empty() ? "HOME is not set"
                                : "HOME is " + quoted(home) + ", which is not an absolute path"),
              "set HOME, or SHADOW_STATE_DIR to a directory of your own"};
}

bool holds_sessions(const std::string& path) {
  const sys::Fd sessions = sys::try_open_at(AT_FDCWD, path + "/sessions", O_RDONLY | O_DIRECTORY);
  return sessions && !sys::is_empty_dir(sessions.get());
}

// What a session holds is nowhere else: a place for new ones is no help to who reviews it.
std::string advice_on_place(const std::string& path, int error) {
  std::string elsewhere = sandbox::advice_on_state(path);
  if (!holds_sessions(path)) {
    return elsewhere;
  }
  return std::string{"the sessions in it can be reviewed as soon as it can be written"} +
         (error == EROFS ? " (mount -o remount,rw)" : "") +
         (elsewhere.find('\n') == std::string::npos ? "; new ones can begin elsewhere: " + elsewhere
                                                    : "");
}

// With errno. Where the place itself is to blame, the hint names one that will do.
[[noreturn]] void throw_of_place(const std::string& what, const std::string& path) {
  const int error = errno;
  constexpr std::array kOfPlace{ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ENOSPC, EDQUOT};
  const bool blamed = std::find(kOfPlace.begin(), kOfPlace.end(), error) != kOfPlace.end();
  throw SysError{error, what, blamed ? advice_on_place(path, error) : std::string{}};
}

void make_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), S_IRWXU) != 0 && errno != EEXIST && errno != EROFS &&
        errno != EACCES) {
      throw_of_place("make directory " + quoted(path.substr(0, slash)), path);
    }
  }
}

// The state decides what is written to real trees, so nobody else may write to it.
void check_owner(const sys::Fd& dir, const std::string& path) {
  struct stat st {};
  if (::fstat(dir.get(), &st) != 0) {
    throw_errno("look at " + quoted(path));
  }
  if (st.st_uid != ::geteuid()) {
    const bool new_volume = st.st_uid == 0 && sys::is_empty_dir(dir.get());
    throw Error{"cannot use the state directory " + quoted(path) + ": it belongs to another user",
                new_volume ? sandbox::give_to_caller(path)
                           : "set SHADOW_STATE_DIR to a directory of your own"};
  }
  if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw Error{"cannot use the state directory " + quoted(path) + ": others may write to it",
                "chmod 700 " + shell_quoted(path)};
  }
}

}  // namespace

StateDir StateDir::open() {
  const Wanted wanted = wanted_path();
  if (!wanted.path.starts_with('/')) {
    throw Error{"cannot use the state directory " + quoted(wanted.path) + ": not an absolute path",
                "set " + wanted.origin + " to an absolute path"};
  }
  return at(wanted.path);
}

StateDir StateDir::at(const std::string& path) {
  sys::Fd dir = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
  if (!dir && errno == ENOENT) {
    make_parents(path);
    if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
      throw_of_place("make the state directory " + quoted(path), path);
    }
    dir = sys::open_path(path, O_RDONLY | O_DIRECTORY);
  } else if (!dir) {
    throw_of_place("open the state directory " + quoted(path), path);
  }
  check_owner(dir, path);
  // Every command writes there. Said here, and not by whichever file is the first that cannot be.
  if (::faccessat(dir.get(), ".", W_OK, 0) != 0) {
    throw_of_place("write to the state directory " + quoted(path), path);
  }
  // "trash" is made last: where it is, the others are.
  const bool complete = ::faccessat(dir.get(), "trash", F_OK, 0) == 0;
  for (const char* part : {"sessions", "projects", "blobs", "locks", "applying", "trash"}) {
    if (complete) {
      break;
    }
    if (::mkdirat(dir.get(), part, S_IRWXU) != 0 && errno != EEXIST) {
      throw_of_place("make directory " + quoted(path + "/" + part), path);
    }
  }
  auto canonical = sys::real_path(path);
  if (!canonical) {
    throw_errno("resolve " + quoted(path));
  }
  return StateDir{std::move(*canonical)};
}

}  // namespace shadow
