// SPDX-License-Identifier: MIT
#include "changes/patch_files.hpp"

#include "changes/dependents/item_range.hpp"
#include "changes/merger.hpp"
#include "changes/rename_pairs.hpp"
#include "changes/reviewed_file.hpp"
#include "changes/rights/attributes.hpp"
#include "store/contents/blobs.hpp"
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
  if (change.before.exists()) {
    file.before_content = {session.lower.get(), change.path, {}};
  }
  if (change.after.exists()) {
    file.after_content = {session.upper.get(), change.path, {}};
  }
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

// Ends with the merge of the two sides, as an apply does (apply/choice/merge_plan). Of a renamed
// file the project's side has the old name.
void end_with_merge(const session::ReviewSession& session, const Merger& merger,
                    const ReviewItem& item, const ReviewItem* old_name, PatchFile& file) {
  const TwoSides sides =
      old_name == nullptr ? sides_of(item.change) : sides_of_rename(old_name->change, item.change);
  if (item.resolution.mode == Side::Project) {
    file.after.mode = sides.project.mode;
  }
  if (item.resolution.attributes == Side::Project) {
    file.attributes = projects_attributes(session, sides.project_path);
    file.attributes_changed = false;
  }
  if (item.resolution.content == Side::Project) {
    if (old_name == nullptr) {
      file.content_changed = false;
    } else {
      set_bytes(file.after_content, file.after, merger.project_text(sides));
    }
  } else if (item.resolution.content == Side::Both) {
    const auto row =
        base_of_item(session, sides.project_path, old_name == nullptr ? item : *old_name);
    const auto base = merger.base_of(sides, row ? &*row : nullptr);
    auto merged = merger.merge(sides, base ? &*base : nullptr, BaseText::Kept);
    if (merged && merged->result.outcome == review::MergeResult::Outcome::Clean) {
      set_bytes(file.after_content, file.after, std::move(merged->result.text));
    }
  }
}

bool is_merge(const ReviewItem& item) {
  return item.resolution.verdict == Verdict::Merge && item.change.kind != ChangeKind::Deleted;
}

}  // namespace

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
      const auto old_name = find_item(items, item.resolution.partner.str());
      end_with_merge(session, *merger, item, old_name ? &items[*old_name] : nullptr, file);
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

ConflictSides conflict_sides(const session::ReviewSession& session, const ReviewItem& item,
                             const ReviewItem* new_name) {
  PatchFile own = from_real(session, item);
  PatchFile project = own;
  if (item.drift == Drift::Appeared) {
    own.before = {};
    own.before_content = {};
  } else {
    start_from_base(store::Blobs{session.state.path()}, item, own);
  }
  ConflictSides sides;
  const bool known = item.drift == Drift::Appeared || own.before_content.bytes;
  if (known) {
    project.after = std::move(project.before);
    project.after_content = std::move(project.before_content);
    project.before = own.before;
    project.before_content = own.before_content;
    project.content_changed = true;
    sides.project = std::move(project);
  }
  sides.session.push_back(std::move(own));
  if (new_name != nullptr) {
    sides.session.push_back(from_real(session, *new_name));
  }
  return sides;
}

}  // namespace shadow::changes
