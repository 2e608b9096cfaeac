// SPDX-License-Identifier: MIT
#include "session/project/known_projects.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::session {
namespace {

std::string mark_of(const StateDir& state, const std::string& root) {
  return state.path() + "/projects/" + to_hex(hash_bytes(root));
}

}  // namespace

std::optional<std::string> enclosing_known_project(const StateDir& state, const std::string& from) {
  for (std::string at = from; !at.empty(); at.resize(at.rfind('/'))) {
    if (::faccessat(AT_FDCWD, mark_of(state, at).c_str(), F_OK, 0) == 0) {
      return at;
    }
  }
  return std::nullopt;
}

void remember_project(const StateDir& state, const std::string& root) {
  const int fd =
      ::open(mark_of(state, root).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd < 0) {
    throw_errno("remember the project " + quoted(root));
  }
  ::close(fd);
}

void forget_project(const StateDir& state, const std::string& root) {
  if (::unlink(mark_of(state, root).c_str()) != 0 && errno != ENOENT) {
    throw_errno("forget the project " + quoted(root));
  }
}

}  // namespace shadow::session
