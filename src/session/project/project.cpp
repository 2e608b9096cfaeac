// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/session.hpp"

#include "base/text.hpp"
#include "session/project/known_projects.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

// The canonical path of a directory: the kernel's answer, not a string operation.
std::string canonical(const sys::Fd& dir, const std::string& shown) {
  // On the stack: the kernel has no longer ones to give (ENAMETOOLONG), and larger room would cost
  // a run, which asks three times, a page fault for each page of it.
  std::array<char, PATH_MAX> room{};
  const ssize_t length = ::readlink(sys::proc_path(dir.get()).c_str(), room.data(), room.size());
  if (length <= 0) {
    throw_errno("resolve " + quoted(shown));
  }
  std::string path{room.data(), static_cast<std::size_t>(length)};
  struct stat by_path {};
  struct stat by_fd {};
  // A directory that was removed reads as "/path (deleted)".
  if (::stat(path.c_str(), &by_path) != 0 || ::fstat(dir.get(), &by_fd) != 0 ||
      by_path.st_ino != by_fd.st_ino || by_path.st_dev != by_fd.st_dev) {
    throw Error{"cannot use " + quoted(shown) + ": it was removed or cannot be reached by its path",
                "change into a directory that is there"};
  }
  return path;
}

std::string canonical_directory(const std::string& path) {
  const sys::Fd dir = sys::open_path(path, O_PATH | O_DIRECTORY);
  return canonical(dir, path);
}

// The current directory; empty if it was removed.
std::string directory_here() {
  try {
    return canonical_directory(".");
  } catch (const Error&) {
    return {};
  }
}

// A project that is gone is known by the path that it had.
bool was_project(const StateDir& state, std::string path) {
  while (path.ends_with('/')) {
    path.pop_back();
  }
  const std::size_t slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const sys::Fd dir = sys::try_open_at(AT_FDCWD, parent, O_PATH | O_DIRECTORY);
  if (!dir) {
    return false;
  }
  const std::string root = canonical(dir, parent) + "/" + path.substr(slash + 1);
  return session::enclosing_known_project(state, root) == root;
}

std::string named_root(const StateDir& state, const std::string& named) {
  try {
    return canonical_directory(named);
  } catch (const SysError& error) {
    if (error.errno_value() != ENOENT || !was_project(state, named)) {
      throw;
    }
  }
  throw Error{"cannot open the project " + quoted(named) + ": it is gone",
              "its sessions wait until it is back there; an empty directory there will do for: "
              "shadow -C " +
                  shell_quoted(named) + " discard --all-sessions"};
}

bool is_below_or_same(const std::string& path, const std::string& directory) {
  return path == directory || directory == "/" ||
         (path.size() > directory.size() && path.starts_with(directory) &&
          path[directory.size()] == '/');
}

// The nearest directory at or above `from` that holds a `.git`, as git finds its work tree. Only
// the name is looked at; nothing in it is read.
std::optional<std::string> enclosing_git(const std::string& from) {
  for (std::string at = from;;) {
    struct stat st {};
    if (::lstat((at + "/.git").c_str(), &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) {
      return at.empty() ? "/" : at;
    }
    const std::size_t slash = at.rfind('/');
    if (slash == std::string::npos || at.empty()) {
      return std::nullopt;
    }
    at.resize(slash);
  }
}

void refuse_bad_root(const StateDir& state, const std::string& root) {
  const char* hint = "change into the project's own directory, or name it: -C DIR";
  if (root == "/") {
    throw Error{"cannot use '/' as a project", hint};
  }
  if (const auto home = sys::environment("HOME"); home && !home->empty()) {
    const sys::Fd dir = sys::try_open_at(AT_FDCWD, *home, O_PATH | O_DIRECTORY);
    if (dir && canonical(dir, *home) == root) {
      throw Error{"cannot use the home directory " + quoted(root) + " as a project", hint};
    }
  }
  if (is_below_or_same(state.path(), root)) {
    throw Error{
        "cannot use " + quoted(root) + " as a project: it contains shadow's state directory",
        "set SHADOW_STATE_DIR to a directory outside of it"};
  }
  if (is_below_or_same(root, state.path())) {
    throw Error{"cannot use " + quoted(root) + " as a project: it lies in shadow's state directory",
                hint};
  }
}

}  // namespace

Project find_project(const StateDir& state, const std::optional<std::string>& from) {
  Project project;
  const std::optional<std::string> named = from ? from : sys::environment("SHADOW_PROJECT");
  if (named && !named->empty()) {
    project.root = named_root(state, *named);
    const std::string here = directory_here();
    project.cwd = is_below_or_same(here, project.root) ? here : project.root;
  } else {
    project.cwd = canonical_directory(".");
    project.root = project.cwd;
    // The deepest of the two wins: a session made for a directory inside a work tree stays its own.
    if (const auto git = enclosing_git(project.cwd)) {
      project.root = *git;
      if (const auto known = session::enclosing_known_project(state, project.cwd);
          known && known->size() > git->size()) {
        project.root = *known;
      }
    } else if (const auto known = session::enclosing_known_project(state, project.cwd)) {
      project.root = *known;
    }
  }
  refuse_bad_root(state, project.root);
  return project;
}

}  // namespace shadow
