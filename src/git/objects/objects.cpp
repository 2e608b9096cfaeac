// SPDX-License-Identifier: MIT
#include "git/objects/objects.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/dir.hpp"

#include <git2/odb_backend.h>
#include <git2/sys/odb_backend.h>

namespace shadow::git {
namespace {

// Opening a FIFO would wait for ever, and a symlink leads elsewhere. This finds those that lie
// there; against one that is put there in the next moment the time limit of the child helps. Device
// 0:0 is a whiteout, which no open waits for.
bool only_files(int directory, bool below) try {
  for (const sys::DirEntry& entry : sys::list_dir(directory)) {
    const Entry found = overlay::look_at(directory, entry.name);
    const bool whiteout = found.kind == EntryKind::Device && found.rdev == 0;
    if (found.kind == EntryKind::Directory && !below) {
      const sys::Fd fd = sys::open_at(directory, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (!only_files(fd.get(), true)) {
        return false;
      }
    } else if (found.kind != EntryKind::File && found.kind != EntryKind::Directory && !whiteout) {
      return false;
    }
  }
  return true;
} catch (const Error&) {
  return false;  // a directory that its owner may not read
}

void add_backend(git_odb* odb, git_odb_backend* backend) {
  // Below libgit2's own (1 and 2): what the real repository has is read there.
  constexpr int kPriority = 0;
  const int result = git_odb_add_backend(odb, backend, kPriority);
  if (result < 0) {
    backend->free(backend);
  }
  check(result, "read objects");
}

}  // namespace

bool holds_only_files(int directory) {
  return only_files(directory, false);
}

sys::Fd open_upper_objects(const GitDirs& dirs) {
  start_libgit2();
  sys::Fd upper =
      sys::try_open_at(AT_FDCWD, dirs.upper_objects, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (upper && !holds_only_files(upper.get())) {
    throw Error{"cannot read the session's commits: something in its objects is no file"};
  }
  return upper;
}

OdbHandle open_real_objects(const GitDirs& dirs) {
  const std::string real = common_dir(dirs.real_git_dir) + "/objects";
  return sys::try_open_at(AT_FDCWD, real, O_PATH | O_DIRECTORY)
             ? make<OdbHandle>("open the real objects", git_odb_open, real.c_str())
             : make<OdbHandle>("open objects", git_odb_new);
}

OdbHandle open_staged_objects(const std::string& staging) {
  auto odb = make<OdbHandle>("open objects", git_odb_new);
  git_odb_backend* backend = nullptr;
  check(git_odb_backend_loose(&backend, staging.c_str(), -1, 0, 0, 0), "write objects");
  add_backend(odb.get(), backend);
  check(git_odb_backend_pack(&backend, staging.c_str()), "read packs");
  add_backend(odb.get(), backend);
  return odb;
}

OdbHandle open_objects(const GitDirs& dirs, const sys::Fd& upper) {
  OdbHandle odb = open_real_objects(dirs);
  if (upper) {
    const std::string path = sys::proc_path(upper.get());
    git_odb_backend* backend = nullptr;
    check(git_odb_backend_pack(&backend, path.c_str()), "read packs");
    add_backend(odb.get(), backend);
    check(git_odb_backend_loose(&backend, path.c_str(), -1, 0, 0, 0), "read objects");
    add_backend(odb.get(), backend);
  }
  return odb;
}

std::vector<std::string> shallow_commits(const GitDirs& dirs) {
  std::vector<std::string> ids;
  const GitDirReader real = disk_reader(dirs.real_git_dir);
  const auto text = real.read("HEAD") ? real.read("shallow") : dirs.view.read("shallow");
  for (const std::string& line : text ? split(*text, '\n') : std::vector<std::string>{}) {
    if (is_object_id(line)) {
      ids.push_back(line);
    }
  }
  return ids;
}

}  // namespace shadow::git
