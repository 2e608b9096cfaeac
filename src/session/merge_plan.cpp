// SPDX-License-Identifier: MIT
#include "session/merge_plan.hpp"

#include "shadow/error.hpp"
#include "shadow/patch.hpp"

#include "review/renames.hpp"
#include "session/capture.hpp"
#include "store/bases.hpp"
#include "sys/file.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace shadow {

namespace {

using Items = std::map<std::string, const ReviewItem*>;

// The base's text and the new file's: what the agent made of the file, without the user's edit.
std::optional<PatchFile> deleted_side(const store::Blobs& blobs, const ReviewItem& item) {
  const sys::Fd blob = blobs.open(item.base_blob);
  if (!blob || !small_enough_to_merge(item.base)) {
    return std::nullopt;
  }
  PatchFile file;
  file.path = item.change.path;
  file.before = item.base;
  file.before.ino = 0;  // the bytes are not those of the inode any more
  file.before_content = {-1, {}, sys::read_all(blob.get(), item.base.size)};
  return file;
}

PatchFile added_side(const ReviewSession& session, const ReviewItem& item) {
  PatchFile file;
  file.path = item.change.path;
  file.after = item.change.after;
  file.after_content = {session.upper.get(), item.change.path, {}};
  return file;
}

bool may_be_source(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Deleted && item.drift == Drift::Changed &&
         !item.base_blob.empty() && item.change.before.kind == EntryKind::File;
}

bool may_be_target(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Added && item.drift == Drift::None &&
         item.standing != Standing::GitDir && item.change.after.kind == EntryKind::File &&
         item.change.link_to.empty();
}

TwoSides sides_of_rename(const Change& from, const Change& to) {
  return {from.path, from.before, to.path, to.after, true, false};
}

// What the step of a merge needs: the two sides and the base they come from.
struct Merged {
  TwoSides sides;
  std::optional<store::BaseRow> base;
};

class MergeSteps {
 public:
  MergeSteps(const ReviewSession& session, const ChosenChanges& chosen)
      : session_{session}, merger_{session} {
    for (const ReviewItem& item : chosen.taken) {
      items_.emplace(item.change.path, &item);
    }
  }

  // False when there is no such merge.
  bool put(const ReviewItem& item, Step& step) const {
    const Merged merged = merged_of(item);
    const Resolution& how = item.resolution;
    const bool conflict = how.verdict == Verdict::Conflict;
    const Side content = conflict ? Side::Both : how.content;
    step.after.mode =
        (how.mode == Side::Project ? merged.sides.project : merged.sides.session).mode;
    // A file with other names is replaced, also for its mode: see plan_apply.
    if (content == Side::Project && merged.sides.project.nlink <= 1 && step.before.exists()) {
      step.action = Action::SetAttributes;
      return true;
    }
    if (content == Side::Both) {
      auto result = merger_.merge(merged.sides, merged.base ? &*merged.base : nullptr,
                                  conflict ? BaseText::MayBeMissing : BaseText::Kept);
      if (!result || result->outcome == MergeResult::Outcome::Binary) {
        return false;
      }
      if (result->outcome == MergeResult::Outcome::Conflict && !conflict) {
        throw StaleError{"the files that are to be merged changed meanwhile",
                         "look at the changes again"};
      }
      step.bytes = std::move(result->text);
    } else {
      step.bytes = content == Side::Project ? merger_.project_text(merged.sides)
                                            : merger_.session_text(merged.sides);
    }
    step.action = Action::Write;
    step.link_to.clear();
    step.after.size = step.bytes->size();
    return true;
  }

 private:
  [[nodiscard]] Merged merged_of(const ReviewItem& item) const {
    const auto partner = items_.find(item.resolution.partner);
    const bool renamed = partner != items_.end();
    const std::string& old_path = renamed ? partner->first : item.change.path;
    Merged merged;
    merged.sides =
        renamed ? sides_of_rename(partner->second->change, item.change) : sides_of(item.change);
    merged.base = store::find_base(*session_.db, session_.row.id, old_path);
    return merged;
  }

  const ReviewSession& session_;
  Merger merger_;
  Items items_;
};

}  // namespace

void pair_renames(const ReviewSession& session, std::vector<ReviewItem>& items) {
  if (std::none_of(items.begin(), items.end(), may_be_source)) {
    return;
  }
  const store::Blobs blobs{session.state.path()};
  std::vector<PatchFile> files;
  std::vector<ReviewItem*> owners;
  for (ReviewItem& item : items) {
    std::optional<PatchFile> file;
    if (may_be_source(item)) {
      file = deleted_side(blobs, item);
    } else if (may_be_target(item)) {
      file = added_side(session, item);
    }
    if (file) {
      files.push_back(std::move(*file));
      owners.push_back(&item);
    }
  }
  PatchOptions options;
  options.max_text_bytes = BaseCapture::kMostBytesOfAFile;
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

std::set<std::string> put_merges(const ReviewSession& session, OnConflict how,
                                 ChosenChanges& chosen, ApplyPlan& plan) {
  std::map<std::string, const ReviewItem*> merged;
  for (const ReviewItem& item : chosen.taken) {
    if (is_merged(item, how)) {
      merged.emplace(item.change.path, &item);
    }
  }
  const MergeSteps steps{session, chosen};
  std::set<std::string> failed;
  std::set<std::string> paths;
  for (Step& step : plan.steps) {
    const auto found = merged.find(step.path);
    if (found == merged.end()) {
      // Not linked to a file that gets another content than in the session.
      if (merged.count(step.link_to) != 0) {
        step.action = Action::Write;
        step.link_to.clear();
      }
    } else if (steps.put(*found->second, step)) {
      paths.insert(step.path);
    } else {
      failed.insert(step.path);
    }
  }
  for (const ReviewItem& item : chosen.taken) {
    if (failed.count(item.change.path) != 0) {
      chosen.conflicts.push_back(item);
      chosen.conflicts.back().resolution.clash =
          small_enough_to_merge(item.change.after) && small_enough_to_merge(item.change.before)
              ? Clash::Binary
              : Clash::TooLarge;
    }
  }
  std::erase_if(plan.steps, [&](const Step& step) { return failed.count(step.path) != 0; });
  std::erase_if(chosen.taken,
                [&](const ReviewItem& item) { return failed.count(item.change.path) != 0; });
  order_steps(plan.steps);
  return paths;
}

}  // namespace shadow
