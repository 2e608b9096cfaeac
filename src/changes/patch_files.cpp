// SPDX-License-Identifier: MIT
#include "changes/patch_files.hpp"

#include "changes/attributes.hpp"
#include "changes/merger.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/file.hpp"

#include <optional>
#include <utility>

namespace shadow::changes {

bool has_patch(const Entry& entry) {
  return entry.kind == EntryKind::File || entry.kind == EntryKind::Symlink;
}

bool has_rights(const Entry& entry) {
  return entry.exists() && entry.kind != EntryKind::Symlink;
}

namespace {

PatchFile from_real(const session::ReviewSession& session, const ReviewItem& item) {
  const Change& change = item.change;
  PatchFile file;
  file.path = change.path;
  file.before = change.before;
  file.after = change.after;
  file.before_content = {session.lower.get(), change.path, {}};
  file.after_content = {session.upper.get(), change.path, {}};
  file.content_changed = change.content_changed || change.kind != ChangeKind::Modified;
  if (change.has_attributes && has_rights(change.after)) {
    file.attributes = attributes_after(session, change.path, change.before.kind);
    file.attributes_changed = change.xattrs_changed || change.acl_changed;
  }
  return file;
}

void set_bytes(Content& content, Entry& entry, std::string bytes) {
  entry.ino = 0;  // the bytes are not those of the inode
  entry.size = bytes.size();
  content = {-1, {}, std::move(bytes)};
}

void start_from_base(const store::Blobs& blobs, const ReviewItem& item, PatchFile& file) {
  if (item.base == nullptr) {
    return;
  }
  if (const sys::Fd blob = blobs.open(item.base->blob)) {
    file.before = item.base->entry;
    set_bytes(file.before_content, file.before, sys::read_all(blob.get()));
    file.content_changed = true;
  }
}

// Ends with the merge of the two sides.
void end_with_merge(const session::ReviewSession& session, const Merger& merger,
                    const ReviewItem& item, PatchFile& file) {
  const TwoSides sides = sides_of(item.change);
  if (item.resolution.mode == Side::Project) {
    file.after.mode = item.change.before.mode;
  }
  if (item.resolution.content == Side::Project) {
    file.content_changed = false;
  } else if (item.resolution.content == Side::Both) {
    const auto row = store::find_base(*session.db, session.row.id, item.change.path);
    const auto base = merger.base_of(sides, row ? &*row : nullptr);
    auto merged = merger.merge(sides, base ? &*base : nullptr, BaseText::Kept);
    if (merged && merged->result.outcome == MergeResult::Outcome::Clean) {
      set_bytes(file.after_content, file.after, std::move(merged->result.text));
    }
  }
}

bool is_merge(const ReviewItem& item) {
  return item.resolution.verdict == Verdict::Merge && item.resolution.partner.empty();
}

}  // namespace

std::vector<ReviewItem> shown_items(ReviewSet set, IgnoredItems ignored) {
  std::erase_if(set.items, [ignored](const ReviewItem& item) {
    return item.standing != Standing::Normal &&
           (ignored == IgnoredItems::LeaveOut || item.standing != Standing::Ignored);
  });
  return std::move(set.items);
}

std::vector<PatchFile> patch_files(const session::ReviewSession& session,
                                   const std::vector<ReviewItem>& items, Shown shown) {
  std::vector<PatchFile> files;
  files.reserve(items.size());
  const store::Blobs blobs{session.state.path()};
  std::optional<Merger> merger;
  for (const ReviewItem& item : items) {
    if (!has_patch(item.change.before) && !has_patch(item.change.after)) {
      continue;
    }
    PatchFile file = from_real(session, item);
    if (shown == Shown::Session || item.resolution.verdict == Verdict::Conflict) {
      start_from_base(blobs, item, file);
    } else if (is_merge(item)) {
      if (!merger) {
        merger.emplace(session);
      }
      end_with_merge(session, *merger, item, file);
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<PatchFile> without_patch(const session::ReviewSession& session,
                                     const std::vector<ReviewItem>& items) {
  std::vector<PatchFile> others;
  for (const ReviewItem& item : items) {
    if (!has_patch(item.change.before) && !has_patch(item.change.after)) {
      others.push_back(from_real(session, item));
    }
  }
  return others;
}

ConflictSides conflict_sides(const session::ReviewSession& session, const ReviewItem& item) {
  ConflictSides sides{std::nullopt, from_real(session, item)};
  PatchFile project = sides.session;
  if (item.drift == Drift::Appeared) {
    sides.session.before = {};
    sides.session.before_content = {};
  } else {
    start_from_base(store::Blobs{session.state.path()}, item, sides.session);
  }
  const bool known = item.drift == Drift::Appeared || sides.session.before_content.bytes;
  if (known) {
    project.after = std::move(project.before);
    project.after_content = std::move(project.before_content);
    project.before = sides.session.before;
    project.before_content = sides.session.before_content;
    project.content_changed = true;
    sides.project = std::move(project);
  }
  return sides;
}

}  // namespace shadow::changes
