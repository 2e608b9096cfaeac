// SPDX-License-Identifier: MIT
#include "changes/moves/moved_gone.hpp"

#include "bases/capture/base_text.hpp"
#include "bases/capture/capture.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/moves/added_side.hpp"
#include "review/renames.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace shadow::changes {
namespace {

// More than this is no work of a moment, and what one took for a move then is no more than a guess.
constexpr std::size_t kMostFiles = 5'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

struct GoneFile {
  std::string gone;  // the file, or a directory above it
  Base base;
};

class GoneFiles {
 public:
  GoneFiles(const session::ReviewSession& session, const std::vector<std::string>& gone)
      : session_{session} {
    const auto bases = store::all_bases(*session.db, session.row.id);
    const auto tree = bases::read_base_tree(session.dir.fd());
    for (const std::string& path : gone) {
      note_bases(bases, path);
      if (tree) {
        note_tree(*tree, path);
      }
    }
    fetch_texts();
  }

  // As the side of a patch that goes, of those whose texts are known.
  [[nodiscard]] std::vector<PatchFile> as_deleted() const {
    const store::Blobs blobs{session_.state.path()};
    std::vector<PatchFile> files;
    std::uint64_t bytes = 0;
    for (const auto& [path, file_of] : files_) {
      const Base& base = file_of.base;
      const sys::Fd blob =
          base.content().is_stored() ? blobs.open(base.content().hash()) : sys::Fd{};
      bytes += blob ? base.entry().size : 0;
      if (!blob || bytes > kMostBytes) {
        continue;
      }
      PatchFile file;
      file.path = path;
      file.before = base.entry();
      file.before.ino = 0;  // the bytes are not those of the inode any more
      file.before_content = {-1, {}, sys::read_all(blob.get(), base.entry().size)};
      files.push_back(std::move(file));
    }
    return files;
  }

  // The one of the deletions by which this file went.
  [[nodiscard]] const std::string& deletion_of(const std::string& path) const {
    return files_.at(path).gone;
  }

 private:
  void note(const std::string& gone, const std::string& path, const Base& base) {
    if (base.is_known() && base.entry().kind == EntryKind::File && base.entry().size > 0 &&
        base.entry().size <= bases::BaseCapture::kMostBytesOfAFile && files_.size() < kMostFiles) {
      files_.emplace(path, GoneFile{gone, base});
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
    const std::string inside = path + '/';
    for (auto at = std::lower_bound(
             tree.entries.begin(), tree.entries.end(), inside,
             [](const bases::TreeEntry&entry, const std::string&p) { return entry.path < p; });
         at != tree.entries.end() && at->path.starts_with(inside); ++at) {
      note(path, at->path, bases::base_of_tree(*at));
    }
  }

  void fetch_texts() {
    std::vector<Base*> found;
    std::vector<git::WantedBlob> wanted;
    for (auto& [path, file] : files_) {
      Base& base = file.base;
      if (!base.content().object_id().empty()) {
        found.push_back(&base);
        wanted.push_back({base.content().object_id(), base.entry().size});
      }
    }
    const std::vector<std::string> names = bases::keep_objects(session_, wanted);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!names[i].empty()) {
        *found[i] = found[i]->with(BaseContent::stored(names[i]));
      }
    }
  }

  const session::ReviewSession& session_;
  std::map<std::string, GoneFile> files_;
};

bool may_be_target(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Added && item.drift == Drift::None &&
         item.standing == Standing::Normal && item.change.after.kind == EntryKind::File &&
         item.change.link_to.empty();
}

}  // namespace

std::set<std::string> judge_moved_gone(const session::ReviewSession& session,
                                       const std::vector<std::string>& gone,
                                       std::vector<ReviewItem>& items) {
  if (gone.empty() || std::none_of(items.begin(), items.end(), may_be_target)) {
    return {};
  }
  const GoneFiles deleted{session, gone};
  std::vector<PatchFile> files = deleted.as_deleted();
  const std::size_t sources = files.size();
  std::vector<std::size_t> targets;
  for (std::size_t i = 0; i < items.size() && sources > 0 && targets.size() < kMostFiles; ++i) {
    if (may_be_target(items[i])) {
      files.push_back(added_side(session, items[i]));
      targets.push_back(i);
    }
  }
  PatchOptions options;
  options.max_text_bytes = bases::BaseCapture::kMostBytesOfAFile;
  std::set<std::string> rests_on;
  for (const review::Rename& rename : review::find_renames(files, options)) {
    ReviewItem& item = items[targets[rename.to - sources]];
    item.drift = Drift::Vanished;
    item.resolution.verdict = Verdict::Conflict;
    item.resolution.clash = Clash::GoneInProject;
    rests_on.insert(deleted.deletion_of(files[rename.from].path));
  }
  return rests_on;
}

}  // namespace shadow::changes
