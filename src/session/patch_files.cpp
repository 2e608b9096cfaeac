// SPDX-License-Identifier: MIT
#include "session/patch_files.hpp"

#include "store/blobs.hpp"
#include "sys/file.hpp"

#include <utility>

namespace shadow {

namespace {

bool has_patch(const Entry& entry) {
  return entry.kind == EntryKind::File || entry.kind == EntryKind::Symlink;
}

PatchFile from_real(const ReviewSession& session, const ReviewItem& item) {
  const Change& change = item.change;
  PatchFile file;
  file.path = change.path;
  file.before = change.before;
  file.after = change.after;
  file.before_content = {session.lower.get(), change.path, {}};
  file.after_content = {session.upper.get(), change.path, {}};
  file.content_changed = change.content_changed || change.kind != ChangeKind::Modified;
  return file;
}

}  // namespace

std::vector<PatchFile> patch_files(const ReviewSession& session,
                                   const std::vector<ReviewItem>& items) {
  std::vector<PatchFile> files;
  const store::Blobs blobs{session.state.path()};
  for (const ReviewItem& item : items) {
    if (!has_patch(item.change.before) && !has_patch(item.change.after)) {
      continue;
    }
    PatchFile file = from_real(session, item);
    if (!item.base_blob.empty()) {
      if (const sys::Fd blob = blobs.open(item.base_blob)) {
        file.before = item.base;
        file.before.ino = 0;  // the bytes are not those of the inode any more
        file.before_content = {-1, {}, sys::read_all(blob.get())};
        file.content_changed = true;
      }
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace shadow
