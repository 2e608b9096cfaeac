// SPDX-License-Identifier: MIT
#include "changes/moves/find_moves.hpp"

#include "bases/capture/capture.hpp"
#include "changes/moves/gone_files.hpp"
#include "changes/moves/move_sides.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace shadow::changes {
namespace {

// How much of the target is what its own name had before: the project's text, or the base's, from
// which the session may have gone on while the project has another.
unsigned likeness_to_own(const session::ReviewSession& session, const ReviewItem& target) {
  const Change& change = target.change;
  std::vector<PatchFile> files;
  if (is_readable(session.lower.get(), change.path)) {
    files.push_back(real_side(session, change));
  }
  if (target.base != nullptr) {
    if (const sys::Fd blob = store::Blobs{session.state.path()}.open(target.base->blob)) {
      const Entry& entry = target.base->entry;
      files.push_back(deleted_side(change.path, entry, sys::read_all(blob.get(), entry.size)));
    }
  }
  files.push_back(added_side(session, change));
  const auto found = review::find_renames(files, options_of_moves());
  return found.empty() ? 0 : found.front().similarity;
}

// Whose names had something before are left out where no source is like them in size, and where
// there would be more to compare than find_renames does: the new names lose nothing by them.
std::vector<std::size_t> worth_a_look(const std::vector<PatchFile>& sources,
                                      const Targets& targets) {
  std::vector<std::uint64_t> all;
  all.reserve(sources.size());
  for (const PatchFile& source : sources) {
    all.push_back(source.before.size);
  }
  const Sizes sizes{std::move(all)};
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Change& change = targets[i]->change;
    if (change.kind == ChangeKind::Added || sizes.have_like(change.after.size)) {
      left.push_back(i);
    }
  }
  if (!left.empty() && sources.size() > options_of_moves().max_similar_pairs / left.size()) {
    std::erase_if(
        left, [&targets](std::size_t i) { return targets[i]->change.kind != ChangeKind::Added; });
  }
  return left;
}

}  // namespace

PatchOptions options_of_moves() {
  PatchOptions options;
  options.max_text_bytes = bases::BaseCapture::kMostBytesOfAFile;
  return options;
}

bool may_be_moved_over(const ReviewItem& item) {
  const Change& change = item.change;
  const Verdict verdict = item.resolution.verdict;
  const bool is_another = change.kind == ChangeKind::TypeChanged ||
                          (change.kind == ChangeKind::Modified && change.content_changed);
  return is_another && change.after.kind == EntryKind::File &&
         (verdict == Verdict::Write || verdict == Verdict::Merge) &&
         item.standing != Standing::GitDir && change.link_to.empty();
}

std::vector<review::Rename> find_moves(const session::ReviewSession& session,
                                       std::vector<PatchFile> sources, const Targets& targets) {
  // Each time without those that turned out to be no moves: a source is free for another target
  // then. Further ones than these are given up.
  constexpr int kMostPasses = 3;
  const std::size_t first = sources.size();
  std::vector<std::size_t> left = worth_a_look(sources, targets);
  for (int pass = 1;; ++pass) {
    for (const std::size_t i : left) {
      sources.push_back(added_side(session, targets[i]->change));
    }
    std::vector<review::Rename> pairs = review::find_renames(sources, options_of_moves());
    for (review::Rename& pair : pairs) {
      pair.to = left[pair.to - first];
    }
    const auto is_own = [&](const review::Rename& pair) {
      const ReviewItem& target = *targets[pair.to];
      return target.change.kind != ChangeKind::Added &&
             likeness_to_own(session, target) >= pair.similarity;
    };
    const auto own = std::stable_partition(
        pairs.begin(), pairs.end(), [&](const review::Rename& pair) { return !is_own(pair); });
    if (own == pairs.end() || pass == kMostPasses) {
      pairs.erase(own, pairs.end());
      return pairs;
    }
    for (auto pair = own; pair != pairs.end(); ++pair) {
      std::erase(left, pair->to);
    }
    sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(first), sources.end());
  }
}

}  // namespace shadow::changes
