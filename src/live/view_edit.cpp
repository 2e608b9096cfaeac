// SPDX-License-Identifier: MIT
#include "live/view_edit.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "live/copy_entry.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/compare.hpp"
#include "overlay/write/prune.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::live {
namespace {

// The path of what is staged in the view just now.
constexpr const char* kNote = "staged-in-view";

// `file` is the copy where it is one. What each path was.
std::map<std::string, Entry> copy_staged(int tree, const std::string& path,
                                         const StagedPlace& place, sys::Fd& file) {
  if (overlay::look_beneath(tree, path).kind != EntryKind::File) {
    return copy_to(tree, path, place.dir(), place.staged());
  }
  file = place.make_file();
  return {{path, copy_content(tree, path, file.get())}};
}

}  // namespace

ViewEdit::ViewEdit(const Trees& trees) : trees_{trees} {
  remove_staged();
}

void ViewEdit::note_staged(const std::string& path) const {
  sys::replace_file_at(trees_.session, kNote, path, S_IRUSR | S_IWUSR);
}

void ViewEdit::forget_staged() const {
  if (::unlinkat(trees_.session, kNote, 0) != 0 && errno != ENOENT) {
    throw_errno("remove a note of the session");
  }
}

void ViewEdit::remove_staged() const {
  const auto path = sys::read_file_at(trees_.session, kNote);
  if (path && sys::is_plain_relative(*path)) {
    const sys::SplitPath parts = sys::split_path(*path);
    if (const sys::Fd dir = sys::try_open_beneath(trees_.view, parts.parent, sys::kDirPath)) {
      sys::remove_tree(dir.get(), std::string{parts.name});
    }
  }
  if (path) {
    forget_staged();
  }
}

// The directories above come with it where the session has deleted them.
StagedPlace ViewEdit::open_place(const std::string& path) {
  sys::Fd dir = sys::open_beneath(trees_.view, {}, sys::kDirPath);
  const std::string_view parents = sys::split_path(path).parent;
  for (std::size_t at = 0; at < parents.size();) {
    const std::size_t end = std::min(parents.find('/', at), parents.size());
    const std::string name{parents.substr(at, end - at)};
    const std::string above{parents.substr(0, end)};
    at = end + 1;
    const Entry there = overlay::look_at(dir.get(), name);
    if (there.exists() && there.kind != EntryKind::Directory) {
      throw Error{fmt::format("cannot restore {}: {} is in the way", quoted(path), quoted(above)),
                  {},
                  ExitCode::Refused,
                  {above}};
    }
    if (!there.exists()) {
      copied_.insert_or_assign(above, make_directory_like(trees_.lower, above, dir.get(), name));
    }
    dir = sys::open_at(dir.get(), name, sys::kDirPath);
  }
  return StagedPlace{std::move(dir), path};
}

// Whatever ends it but a kill leaves nothing staged.
template <class Make, class Use>
void ViewEdit::stage(const StagedPlace& place, const Make& make, const Use& use) const {
  note_staged(place.staged_path());
  try {
    make();
    SHADOW_FAIL_POINT("view-staged");
    use();
    SHADOW_FAIL_POINT("view-placed");
  } catch (const Error&) {
    remove_staged();
    throw;
  }
  forget_staged();
}

void ViewEdit::restore(const std::string& path) {
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    try {
      restore_once(path);
      return;
    } catch (const StaleError&) {
      if (attempt == kAttempts) {
        throw;
      }
    }
  }
}

void ViewEdit::restore_once(const std::string& path) {
  std::vector<std::string> left = {path};
  while (!left.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    const Entry wanted = overlay::look_beneath(trees_.lower, next);
    const Entry there = overlay::look_beneath(trees_.view, next);
    if (!wanted.exists()) {
      remove(next);
    } else if (wanted.kind == EntryKind::Directory && there.kind == EntryKind::Directory) {
      restore_directory(next, left);
    } else if (!is_same(next)) {
      put(next, there);
    } else {
      copied_.insert_or_assign(next, wanted);  // if the upper has one
    }
  }
}

// The view's entry at the path while the upper has the reviewed one. In this order, a write in
// between differs from either.
Entry ViewEdit::expect(const std::string& path, const Entry& reviewed) const {
  Entry there = overlay::look_beneath(trees_.view, path);
  if (!same_state(overlay::look_beneath(trees_.upper, path), reviewed)) {
    throw StaleError{fmt::format("cannot change {}: a run is writing it", quoted(path)),
                     "try again",
                     ExitCode::Refused,
                     {path}};
  }
  return there;
}

void ViewEdit::restore_reviewed(const std::string& path, const Entry& reviewed) {
  const Entry wanted = overlay::look_beneath(trees_.lower, path);
  const Entry there = expect(path, reviewed);
  if (wanted.exists()) {
    put(path, there);
  } else if (there.exists()) {
    const StagedPlace place = open_place(path);
    stage(
        place, [] {}, [&] { place.remove(there); });
  }
}

void ViewEdit::adopt(const std::string& path) {
  const sys::Fd from = sys::open_beneath(trees_.lower, path, O_RDONLY | O_DIRECTORY);
  const sys::Fd to = sys::open_beneath(trees_.view, path, O_RDONLY | O_DIRECTORY);
  if (take_attributes(from.get(), to.get())) {
    copied_.insert_or_assign(path, overlay::look_fd(from.get()));
  }
}

void ViewEdit::put(const std::string& path, const Entry& there) {
  const StagedPlace place = open_place(path);
  sys::Fd file;
  const auto make = [&] {
    for (auto& [copied, entry] : copy_staged(trees_.lower, path, place, file)) {
      copied_.insert_or_assign(copied, std::move(entry));
    }
  };
  stage(place, make, [&] { place.take(file, there); });
}

void ViewEdit::restore_directory(const std::string& path, std::vector<std::string>& left) {
  for (const std::string& name : names_to_restore(path)) {
    left.push_back(sys::join_path(path, name));
  }
  adopt(path);
}

// The upper's names of a directory that merges with the project's; otherwise all names.
std::vector<std::string> ViewEdit::names_to_restore(const std::string& path) const {
  std::set<std::string> names;
  const bool merged = is_merged(path);
  for (const int root :
       merged ? std::array{trees_.upper, trees_.upper} : std::array{trees_.view, trees_.lower}) {
    if (const sys::Fd dir = sys::try_open_beneath(root, path, O_RDONLY | O_DIRECTORY)) {
      for (sys::DirEntry& child : sys::list_dir(dir.get())) {
        names.insert(std::move(child.name));
      }
    }
  }
  return {names.begin(), names.end()};
}

bool ViewEdit::is_merged(const std::string& path) const {
  for (std::string_view at = path; !at.empty(); at = sys::split_path(at).parent) {
    const sys::Fd dir = sys::try_open_beneath(trees_.upper, at, sys::kDirPath);
    if (dir && overlay::is_opaque(dir.get())) {
      return false;
    }
  }
  return true;
}

// True if the view and the project have the same entry, except directories.
bool ViewEdit::is_same(const std::string& path) const {
  const std::string_view parent = sys::split_path(path).parent;
  const std::string name{sys::split_path(path).name};
  const sys::Fd above = sys::try_open_beneath(trees_.view, parent, sys::kDirPath);
  const sys::Fd below = sys::try_open_beneath(trees_.lower, parent, sys::kDirPath);
  const Entry there = above ? overlay::look_at(above.get(), name) : Entry{};
  const Entry wanted = below ? overlay::look_at(below.get(), name) : Entry{};
  return there.exists() && there.kind == wanted.kind && there.kind != EntryKind::Directory &&
         !overlay::compare({above.get(), below.get(), name, path, there, wanted}).any();
}

void ViewEdit::write(const std::string& path, const overlay::NewContent& content,
                     const Entry& reviewed) {
  const StagedPlace place = open_place(path);
  const Entry there = expect(path, reviewed);
  sys::Fd file;
  const auto make = [&] {
    file = place.make_file();
    write_content(file.get(), content);
  };
  stage(place, make, [&] { place.take(file, there); });
}

bool ViewEdit::take_over(int other_upper, const std::string& path, const Entry& replaced) {
  const std::string parent{sys::split_path(path).parent};
  const std::string name{sys::split_path(path).name};
  const sys::Fd from = sys::try_open_beneath(other_upper, parent, sys::kDirPath);
  const Entry wanted = from ? overlay::look_at(from.get(), name) : Entry{};
  Entry there = overlay::look_beneath(trees_.view, path);
  const Entry own = overlay::look_beneath(trees_.upper, path);
  // A directory that hides all of the project's decides about what it does not have, too.
  const bool decided = own.exists() ? !same_state(own, replaced) : !is_merged(parent);
  if (!wanted.exists() || decided || (!parent.empty() && !has_directory_or_none(parent))) {
    return false;
  }
  const bool whiteout = overlay::is_whiteout_at(from.get(), name, wanted);
  const bool directory = wanted.kind == EntryKind::Directory;
  if ((whiteout && !there.exists()) || (directory && there.kind == EntryKind::Directory)) {
    return false;
  }
  if (there.kind == EntryKind::Directory) {
    remove_what_is_the_projects(path);
    there = overlay::look_beneath(trees_.view, path);
    if (whiteout || there.exists()) {
      return whiteout && !there.exists();
    }
  }
  const StagedPlace place = open_place(path);
  sys::Fd file;
  const auto make = [&] {
    if (!whiteout) {
      (void)copy_staged(other_upper, path, place, file);
    }
  };
  stage(place, make, [&] { whiteout ? place.remove(there) : place.take(file, there); });
  return true;
}

// A directory, name by name: what a run makes in it meanwhile stays, and the directory with it.
void ViewEdit::remove_what_is_the_projects(const std::string& path) const {
  std::vector<std::string> left = {path};
  std::vector<std::string> directories;
  while (!left.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    const sys::Fd dir = sys::try_open_beneath(trees_.lower, next, O_RDONLY | O_DIRECTORY);
    if (dir) {
      directories.push_back(next);
      for (const sys::DirEntry& child : sys::list_dir(dir.get())) {
        left.push_back(sys::join_path(next, child.name));
      }
    } else if (!overlay::look_beneath(trees_.upper, next).exists()) {
      remove(next);
    }
  }
  std::reverse(directories.begin(), directories.end());
  for (const std::string& directory : directories) {
    (void)remove_if_empty(directory);
  }
}

// True if missing directories above something can be created.
bool ViewEdit::has_directory_or_none(std::string_view path) const {
  for (; !path.empty(); path = sys::split_path(path).parent) {
    const Entry above = overlay::look_beneath(trees_.view, path);
    if (above.exists()) {
      return above.kind == EntryKind::Directory;
    }
  }
  return true;
}

void ViewEdit::remove(const std::string& path) const {
  const sys::SplitPath parts = sys::split_path(path);
  if (const sys::Fd dir = sys::try_open_beneath(trees_.view, parts.parent, sys::kDirPath)) {
    sys::remove_tree(dir.get(), std::string{parts.name});
  }
}

bool ViewEdit::remove_if_empty(const std::string& path) const {
  const sys::SplitPath parts = sys::split_path(path);
  const sys::Fd dir = sys::try_open_beneath(trees_.view, parts.parent, sys::kDirPath);
  return dir && ::unlinkat(dir.get(), std::string{parts.name}.c_str(), AT_REMOVEDIR) == 0;
}

bool has_staged_in_view(int session) {
  return ::faccessat(session, kNote, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void remove_staged_in_view(int session, int upper, int lower) {
  const auto path = sys::read_file_at(session, kNote);
  if (path && sys::is_plain_relative(*path)) {
    overlay::drop(upper, lower, *path);
  }
  if (path && ::unlinkat(session, kNote, 0) != 0) {
    throw_errno("remove a note of the session");
  }
}

}  // namespace shadow::live
