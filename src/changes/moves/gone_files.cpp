// SPDX-License-Identifier: MIT
#include "changes/moves/gone_files.hpp"

#include "bases/capture/capture.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/dependents/item_range.hpp"
#include "changes/moves/move_sides.hpp"
#include "git/objects/git_objects.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "session/project/git_dir.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <utility>

namespace shadow::changes {
namespace {

constexpr std::size_t kMostTries = 200'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

}  // namespace

Sizes::Sizes(std::vector<std::uint64_t> all) : all_{std::move(all)} {
  std::sort(all_.begin(), all_.end());
}

bool Sizes::have_like(std::uint64_t size) const {
  const auto at = std::lower_bound(all_.begin(), all_.end(), (size + 1) / 2);
  return size > 0 && at != all_.end() && *at <= 2 * size;
}

std::vector<PatchFile> deleted_by_session(const session::ReviewSession& session,
                                          const std::vector<ReviewItem>& items,
                                          const Sizes& sizes) {
  std::vector<PatchFile> files;
  for (const ReviewItem& item : items) {
    const Change& change = item.change;
    if (change.kind == ChangeKind::Deleted && change.before.kind == EntryKind::File &&
        files.size() < kMostFilesOfMoves && sizes.have_like(change.before.size) &&
        is_readable(session.lower.get(), change.path)) {
      files.push_back(real_side(session, change));
    }
  }
  return files;
}

const std::map<std::string, Base>& KnownPaths::rows() {
  if (!rows_) {
    rows_ = store::all_bases(*session_.db, session_.row.id);
  }
  return *rows_;
}

const bases::BaseTree* KnownPaths::tree() {
  if (!tree_read_) {
    tree_ = bases::read_base_tree(session_.dir.fd());
    tree_read_ = true;
  }
  return tree_ ? &*tree_ : nullptr;
}

GoneFiles::GoneFiles(const session::ReviewSession& session, KnownPaths& known, Sizes sizes)
    : session_{session}, known_{known}, sizes_{std::move(sizes)} {
}

void GoneFiles::note_deletion(const std::string& path) {
  const std::map<std::string, Base>& rows = known_.rows();
  if (const auto own = rows.find(path); own != rows.end()) {
    note(path, path, own->second);
  }
  const std::string inside = path + '/';
  for (auto at = rows.lower_bound(inside); at != rows.end() && at->first.starts_with(inside);
       ++at) {
    note(path, at->first, at->second);
  }
  const bases::BaseTree* tree = known_.tree();
  if (tree == nullptr) {
    return;
  }
  if (const bases::TreeEntry* own = tree->find(path)) {
    note_tree(path, *own);
  }
  for (const bases::TreeEntry& entry : tree->below(path)) {
    note_tree(path, entry);
  }
}

void GoneFiles::note_all() {
  for (const auto& [path, base] : known_.rows()) {
    note(path, path, base);
  }
  if (const bases::BaseTree* tree = known_.tree()) {
    for (const bases::TreeEntry& entry : tree->entries) {
      note_tree(entry.path, entry);
    }
  }
}

void GoneFiles::note_taken_away(const std::vector<ReviewItem>& items) {
  for (const auto& [path, base] : known_.rows()) {
    if (base.source() != BaseSource::Apply && !find_item(items, path)) {
      note(path, path, base);
    }
  }
}

std::vector<PatchFile> GoneFiles::as_deleted() const {
  const store::Blobs blobs{session_.state.path()};
  std::vector<PatchFile> files;
  std::vector<const Found*> objects;
  for (const Found& found : found_) {
    const BaseContent& content = found.base.content();
    if (!content.object_id().empty()) {
      objects.push_back(&found);
    } else if (const sys::Fd blob = content.is_stored() ? blobs.open(content.hash()) : sys::Fd{}) {
      const Entry& entry = found.base.entry();
      files.push_back(deleted_side(found.path, entry, sys::read_all(blob.get(), entry.size)));
    }
  }
  add_objects(objects, files);
  return files;
}

bool GoneFiles::may_be_unread(const Entry& moved) const {
  return unread_.count({moved.size, moved.mtime_ns}) != 0;
}

const std::string& GoneFiles::deletion_of(const std::string& path) const {
  return deletions_.at(path);
}

// Either may have something else in its place. What the session has there is at most another file's
// text; a file of the project's may be this one with an edit, and a directory or a link is not.
bool GoneFiles::went_on_both_sides(const std::string& path) const {
  if (overlay::look_beneath(session_.lower.get(), path).kind == EntryKind::File) {
    return false;
  }
  const int upper = session_.upper.get();
  return overlay::look_beneath(upper, path).kind != EntryKind::File ||
         !overlay::is_copied_up(upper, path);
}

void GoneFiles::note(const std::string& gone, const std::string& path, const Base& base) {
  const Entry& entry = base.entry();
  if (entry.kind != EntryKind::File || !sizes_.have_like(entry.size) ||
      found_.size() == kMostFilesOfMoves || ++tries_ > kMostTries || !went_on_both_sides(path) ||
      !deletions_.emplace(path, gone).second) {
    return;
  }
  if (base.is_known() && entry.size <= bases::BaseCapture::kMostBytesOfAFile &&
      bytes_ + entry.size <= kMostBytes) {
    bytes_ += entry.size;
    found_.push_back({path, base});
  } else {
    unread_.emplace(entry.size, entry.mtime_ns);
  }
}

// A row is of a later time: where the session's deletion was applied, of nothing.
void GoneFiles::note_tree(const std::string& gone, const bases::TreeEntry& entry) {
  if (known_.rows().count(entry.path) == 0) {
    note(gone, entry.path, bases::base_of_tree(entry));
  }
}

void GoneFiles::add_objects(const std::vector<const Found*>& objects,
                            std::vector<PatchFile>& files) const {
  const auto git = objects.empty() ? std::nullopt : session::real_git_dir(session_.project.root);
  if (!git) {
    return;
  }
  std::vector<git::WantedBlob> wanted;
  wanted.reserve(objects.size());
  for (const Found* found : objects) {
    wanted.push_back({found->base.content().object_id(), found->base.entry().size});
  }
  auto texts = git::read_blobs(git->common + "/objects", wanted);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (texts[i]) {
      files.push_back(
          deleted_side(objects[i]->path, objects[i]->base.entry(), *std::move(texts[i])));
    }
  }
}

}  // namespace shadow::changes
