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
  if (auto home = sys::environment("HOME"); home && home->starts_with('/')) {
    return {*home + "/.local/state/shadow", "$HOME"};
  }
  throw Error{"cannot find a place for the state: HOME is not set",
              "set HOME, or SHADOW_STATE_DIR to a directory of your own"};
}

void make_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), S_IRWXU) != 0 && errno != EEXIST && errno != EROFS &&
        errno != EACCES) {
      throw_errno("make directory " + quoted(path.substr(0, slash)));
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
      throw_errno("make the state directory " + quoted(path));
    }
    dir = sys::open_path(path, O_RDONLY | O_DIRECTORY);
  } else if (!dir) {
    throw_errno("open the state directory " + quoted(path));
  }
  check_owner(dir, path);
  // "trash" is made last: where it is, the others are.
  const bool complete = ::faccessat(dir.get(), "trash", F_OK, 0) == 0;
  for (const char* part : {"sessions", "projects", "blobs", "locks", "applying", "trash"}) {
    if (complete) {
      break;
    }
    if (::mkdirat(dir.get(), part, S_IRWXU) != 0 && errno != EEXIST) {
      throw_errno("make directory " + quoted(path + "/" + part));
    }
  }
  auto canonical = sys::real_path(path);
  if (!canonical) {
    throw_errno("resolve " + quoted(path));
  }
  return StateDir{std::move(*canonical)};
}

}  // namespace shadow
