// SPDX-License-Identifier: MIT
#include "changes/moves/moved_gone.hpp"

#include "bases/capture/capture.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/moves/move_sides.hpp"
#include "git/objects/git_objects.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "review/renames.hpp"
#include "session/project/git_dir.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace shadow::changes {
namespace {

// More than this is no work of a moment, and what one took for a move then is no more than a guess.
constexpr std::size_t kMostFiles = 5'000;
constexpr std::size_t kMostTries = 200'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

// The sizes of the new files. What differs more from each of them shares less than half of its
// lines with any, and is not read.
class Sizes {
 public:
  explicit Sizes(std::vector<std::uint64_t> all) : all_{std::move(all)} {
    std::sort(all_.begin(), all_.end());
  }

  [[nodiscard]] bool have_like(std::uint64_t size) const {
    const auto at = std::lower_bound(all_.begin(), all_.end(), (size + 1) / 2);
    return size > 0 && at != all_.end() && *at <= 2 * size;
  }

 private:
  std::vector<std::uint64_t> all_;
};

// The files that went with a deletion on both sides, as they were in the base.
class GoneFiles {
 public:
  // `items` are sorted by their paths. All is borrowed.
  GoneFiles(const session::ReviewSession& session, const std::vector<std::string>& gone,
            const std::vector<ReviewItem>& items, const Sizes& sizes)
      : session_{session}, items_{items}, sizes_{sizes} {
    const auto bases = store::all_bases(*session.db, session.row.id);
    const auto tree = bases::read_base_tree(session.dir.fd());
    for (const std::string& path : gone) {
      note_bases(bases, path);
      if (tree) {
        note_tree(*tree, path);
      }
    }
  }

  // Those whose texts are known, as the sides of a patch that go.
  [[nodiscard]] std::vector<PatchFile> as_deleted() const {
    const store::Blobs blobs{session_.state.path()};
    std::vector<PatchFile> files;
    std::vector<const Found*> objects;
    for (const Found& found : found_) {
      const BaseContent& content = found.base.content();
      if (!content.object_id().empty()) {
        objects.push_back(&found);
      } else if (const sys::Fd blob =
                     content.is_stored() ? blobs.open(content.hash()) : sys::Fd{}) {
        const Entry& entry = found.base.entry();
        files.push_back(deleted_side(found.path, entry, sys::read_all(blob.get(), entry.size)));
      }
    }
    add_objects(objects, files);
    return files;
  }

  // The deletion by which the file went.
  [[nodiscard]] const std::string& deletion_of(const std::string& path) const {
    return deletions_.at(path);
  }

 private:
  struct Found {
    std::string path;
    Base base;
  };

  // True if nothing is at the path in the project nor in the session. Most of what the session
  // deletes the project has, and it is an item then.
  [[nodiscard]] bool went_on_both_sides(const std::string& path) const {
    const auto item = std::lower_bound(
        items_.begin(), items_.end(), path,
        [](const ReviewItem& one, const std::string& other) { return one.change.path < other; });
    if (item != items_.end() && item->change.path == path) {
      return false;
    }
    const Entry own = overlay::look_beneath(session_.upper.get(), path);
    return (!own.exists() || overlay::is_whiteout(own)) &&
           !overlay::look_beneath(session_.lower.get(), path).exists();
  }

  void note(const std::string& gone, const std::string& path, const Base& base) {
    const Entry& entry = base.entry();
    if (base.is_known() && entry.kind == EntryKind::File &&
        entry.size <= bases::BaseCapture::kMostBytesOfAFile && sizes_.have_like(entry.size) &&
        found_.size() < kMostFiles && bytes_ + entry.size <= kMostBytes && ++tries_ <= kMostTries &&
        went_on_both_sides(path) && deletions_.emplace(path, gone).second) {
      bytes_ += entry.size;
      found_.push_back({path, base});
    }
  }

  // At the path and below it: a directory is deleted as a whole.
  void note_bases(const std::map<std::string, Base>& bases, const std::string& path) {
    if (const auto own = bases.find(path); own != bases.end()) {
      note(path, path, own->second);
    }
    const std::string inside = path + '/';
    for (auto at = bases.lower_bound(inside); at != bases.end() && at->first.starts_with(inside);
         ++at) {
      note(path, at->first, at->second);
    }
  }

  void note_tree(const bases::BaseTree& tree, const std::string& path) {
    if (const bases::TreeEntry* own = tree.find(path)) {
      note(path, path, bases::base_of_tree(*own));
    }
    for (const bases::TreeEntry& entry : tree.below(path)) {
      note(path, entry.path, bases::base_of_tree(entry));
    }
  }

  void add_objects(const std::vector<const Found*>& objects, std::vector<PatchFile>& files) const {
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

  const session::ReviewSession& session_;
  const std::vector<ReviewItem>& items_;
  const Sizes& sizes_;
  std::vector<Found> found_;
  std::map<std::string, std::string> deletions_;  // by the file's path
  std::uint64_t bytes_ = 0;
  std::size_t tries_ = 0;
};

// What the session alone deletes: a new file that is one of these has nothing to do with the
// others.
std::vector<PatchFile> deleted_by_session(const session::ReviewSession& session,
                                          const std::vector<ReviewItem>& items,
                                          const Sizes& sizes) {
  std::vector<PatchFile> files;
  for (const ReviewItem& item : items) {
    const Change& change = item.change;
    if (change.kind == ChangeKind::Deleted && change.before.kind == EntryKind::File &&
        files.size() < kMostFiles && sizes.have_like(change.before.size) &&
        is_readable(session.lower.get(), change.path)) {
      PatchFile file;
      file.path = change.path;
      file.before = change.before;
      file.before_content = {session.lower.get(), change.path, {}};
      files.push_back(std::move(file));
    }
  }
  return files;
}

bool is_opaque_directory(const session::ReviewSession& session, std::string_view path) {
  const sys::Fd dir = sys::try_open_beneath(session.upper.get(), path, sys::kDirPath);
  return dir && overlay::is_opaque(dir.get());
}

// With directories that the session deletes, or has made anew: what the project has no more in one
// went with it. What lies in a deleted directory goes with that: the cost is linear at any depth.
std::vector<std::string> with_directories(const session::ReviewSession& session,
                                          std::vector<std::string> gone,
                                          const std::vector<ReviewItem>& items) {
  std::unordered_set<std::string_view> deleted;
  std::string_view last;  // the items are sorted
  for (const ReviewItem& item : items) {
    const Change& change = item.change;
    const std::string_view parent = sys::split_path(change.path).parent;
    const bool in_deleted = deleted.count(parent) != 0;
    if (change.before.kind == EntryKind::Directory && change.after.kind != EntryKind::Directory) {
      deleted.insert(change.path);
      if (!in_deleted) {
        gone.push_back(change.path);
      }
    }
    if (change.before.exists() && !change.after.exists() && !in_deleted && !parent.empty() &&
        parent != last) {
      last = parent;
      if (is_opaque_directory(session, parent)) {
        gone.emplace_back(last);
      }
    }
  }
  return gone;
}

}  // namespace

std::set<std::string> judge_moved_gone(const session::ReviewSession& session,
                                       const std::vector<std::string>& deleted_by_both,
                                       std::vector<ReviewItem>& items) {
  std::vector<std::size_t> targets;
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < items.size() && targets.size() < kMostFiles; ++i) {
    if (may_be_new_name(items[i])) {
      targets.push_back(i);
      all.push_back(items[i].change.after.size);
    }
  }
  if (targets.empty()) {
    return {};
  }
  const std::vector<std::string> gone = with_directories(session, deleted_by_both, items);
  if (gone.empty()) {
    return {};
  }
  const Sizes sizes{std::move(all)};
  const GoneFiles deleted{session, gone, items, sizes};
  std::vector<PatchFile> files = deleted.as_deleted();
  const std::size_t of_both = files.size();
  if (of_both == 0) {
    return {};
  }
  for (PatchFile& file : deleted_by_session(session, items, sizes)) {
    files.push_back(std::move(file));
  }
  const std::size_t sources = files.size();
  for (const std::size_t i : targets) {
    files.push_back(added_side(session, items[i]));
  }
  PatchOptions options;
  options.max_text_bytes = bases::BaseCapture::kMostBytesOfAFile;
  std::set<std::string> rests_on;
  for (const review::Rename& rename : review::find_renames(files, options)) {
    if (rename.from >= of_both) {
      continue;
    }
    ReviewItem& item = items[targets[rename.to - sources]];
    item.drift = Drift::Vanished;
    item.resolution.verdict = Verdict::Conflict;
    item.resolution.clash = Clash::GoneInProject;
    rests_on.insert(deleted.deletion_of(files[rename.from].path));
  }
  return rests_on;
}

}  // namespace shadow::changes
