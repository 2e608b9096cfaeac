// SPDX-License-Identifier: MIT
#include "changes/rename_pairs.hpp"

#include "bases/capture/capture.hpp"
#include "changes/moves/move_sides.hpp"
#include "review/renames.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace shadow::changes {

namespace {

// The base's text and the new file's: what the agent made of the file, without the user's edit.
std::optional<PatchFile> base_side(const store::Blobs& blobs, const ReviewItem& item) {
  const Entry& base = item.base->entry;
  const sys::Fd blob = blobs.open(item.base->blob);
  return blob && small_enough_to_merge(base)
             ? std::optional{deleted_side(item.change.path, base,
                                          sys::read_all(blob.get(), base.size))}
             : std::nullopt;
}

bool may_be_source(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Deleted && item.drift == Drift::Changed &&
         item.base != nullptr && item.change.before.kind == EntryKind::File;
}

}  // namespace

TwoSides sides_of_rename(const Change& from, const Change& to) {
  return {from.path, from.before, to.path, to.after, true, false};
}

void pair_renames(const session::ReviewSession& session, std::vector<ReviewItem>& items) {
  if (std::none_of(items.begin(), items.end(), may_be_source)) {
    return;
  }
  const store::Blobs blobs{session.state.path()};
  std::vector<PatchFile> files;
  std::vector<ReviewItem*> owners;
  for (ReviewItem& item : items) {
    std::optional<PatchFile> file;
    if (may_be_source(item)) {
      file = base_side(blobs, item);
    } else if (may_be_new_name(item)) {
      file = added_side(session, item);
    }
    if (file) {
      files.push_back(std::move(*file));
      owners.push_back(&item);
    }
  }
  PatchOptions options;
  options.max_text_bytes = bases::BaseCapture::kMostBytesOfAFile;
  const Merger merger{session};
  for (const review::Rename& rename : review::find_renames(files, options)) {
    ReviewItem& from = *owners[rename.from];
    ReviewItem& to = *owners[rename.to];
    const auto base = store::find_base(*session.db, session.row.id, from.change.path);
    Resolution resolution =
        merger.resolve(sides_of_rename(from.change, to.change), base ? &*base : nullptr);
    if (resolution.verdict != Verdict::Conflict) {
      // Also what only one of them edited goes to the new name.
      resolution.content =
          resolution.verdict == Verdict::Nothing ? Side::Project : resolution.content;
      resolution.mode = resolution.verdict == Verdict::Nothing ? Side::Project : resolution.mode;
      resolution.verdict = Verdict::Merge;
    }
    from.resolution = resolution;
    from.resolution.partner = to.change.path;
    to.resolution = std::move(resolution);
    to.resolution.partner = from.change.path;
  }
}

}  // namespace shadow::changes
