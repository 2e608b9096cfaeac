// SPDX-License-Identifier: MIT
#include "changes/rename_pairs.hpp"

#include "changes/moves/find_moves.hpp"
#include "changes/moves/gone_files.hpp"
#include "changes/moves/move_sides.hpp"
#include "changes/moves/same_texts.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace shadow::changes {

namespace {

// The base's text and the new file's: what the agent made of the file, without the user's edit.
std::optional<PatchFile> base_side(const session::ReviewSession& session, const std::string& path,
                                   const KeptBase& base) {
  const sys::Fd blob = store::Blobs{session.state.path()}.open(base.blob);
  return blob && small_enough_to_merge(base.entry)
             ? std::optional{deleted_side(path, base.entry,
                                          sys::read_all(blob.get(), base.entry.size))}
             : std::nullopt;
}

std::optional<Base> row_of(const session::ReviewSession& session, const ReviewItem& item) {
  return store::find_base(*session.db, session.row.id, item.change.path);
}

// Of a file that went with its directory the base tree alone has the base: the item's.
std::optional<PatchFile> source_side(const session::ReviewSession& session,
                                     const ReviewItem& item) {
  if (item.base != nullptr) {
    return base_side(session, item.change.path, *item.base);
  }
  const auto row = row_of(session, item);
  return row && row->content().is_stored()
             ? base_side(session, item.change.path, {row->entry(), row->content().hash()})
             : std::nullopt;
}

// The project's file is another than the session moved, or is the base again while the session
// moved what came after that.
bool may_be_source(const Merger& merger, const ReviewItem& item) {
  return item.change.kind == ChangeKind::Deleted && item.change.before.kind == EntryKind::File &&
         ((item.drift == Drift::Changed && item.base != nullptr) ||
          (item.drift == Drift::None && merger.may_be_later(item.change.path)));
}

// Not to be paired here, but what the session moved may be this one rather than one of those: a
// name to which it went has nothing of theirs.
bool may_be_moved_as_it_is(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Deleted && item.change.before.kind == EntryKind::File &&
         item.drift == Drift::None;
}

struct Source {
  PatchFile file;
  ReviewItem* owner = nullptr;  // null where its new name is not looked for
};

std::vector<PatchFile> files_of(const std::vector<Source>& sources) {
  std::vector<PatchFile> files;
  files.reserve(sources.size());
  for (const Source& source : sources) {
    files.push_back(source.file);
  }
  return files;
}

// Of files with one text the first is taken, and who moves a file keeps its time.
void put_moved_as_they_were_first(std::vector<Source>& sources, const Targets& targets) {
  std::set<std::pair<std::uint64_t, std::int64_t>> moved;
  for (const ReviewItem* target : targets) {
    moved.emplace(target->change.after.size, target->change.after.mtime_ns);
  }
  std::stable_partition(sources.begin(), sources.end(), [&moved](const Source& source) {
    return moved.count({source.file.before.size, source.file.before.mtime_ns}) != 0;
  });
}

using BasesByPath = std::map<std::string, Base>;

// A base that only the tree tells goes into `by_tree`.
Base base_of_source(const session::ReviewSession& session, const ReviewItem& from,
                    BasesByPath& by_tree) {
  if (auto row = row_of(session, from)) {
    return *std::move(row);
  }
  Base base = Base::known(from.base->entry, BaseSource::Tree, BaseContent::stored(from.base->blob));
  by_tree.emplace(from.change.path, base);
  return base;
}

// For those who carry the renames out.
void put_bases(const session::ReviewSession& session, const BasesByPath& bases) {
  if (bases.empty()) {
    return;
  }
  store::Transaction transaction{*session.db};
  for (const auto& [path, base] : bases) {
    store::put_base(*session.db, session.row.id, path, base);
  }
  transaction.commit();
}

// The project has nothing of its own at the new name, at most a file that the session has moved
// this one over. An edit of that is in no merge of this one.
bool may_be_put_there(const ReviewItem& to) {
  return to.drift == Drift::None && to.resolution.verdict == Verdict::Write &&
         to.change.kind != ChangeKind::TypeChanged;
}

void put_rename(Resolution resolution, ReviewItem& from, ReviewItem& to) {
  if (resolution.verdict != Verdict::Conflict) {
    // Also what only one of them edited goes to the new name.
    resolution.content =
        resolution.verdict == Verdict::Nothing ? Side::Project : resolution.content;
    resolution.mode = resolution.verdict == Verdict::Nothing ? Side::Project : resolution.mode;
    resolution.verdict = Verdict::Merge;
  }
  from.drift = Drift::Changed;
  from.resolution = resolution;
  from.resolution.partner = to.change.path;
  to.resolution = std::move(resolution);
  to.resolution.partner = from.change.path;
}

}  // namespace

TwoSides sides_of_rename(const Change& from, const Change& to) {
  return {from.path, from.before, to.path, to.after, true, false};
}

void pair_renames(const session::ReviewSession& session, std::vector<ReviewItem>& items) {
  const Merger merger{session};
  const auto is_source = [&merger](const ReviewItem& item) { return may_be_source(merger, item); };
  if (std::none_of(items.begin(), items.end(), is_source)) {
    return;
  }
  std::vector<Source> sources;
  Targets targets;
  for (ReviewItem& item : items) {
    if (is_source(item)) {
      if (auto file = source_side(session, item)) {
        sources.push_back({*std::move(file), &item});
      }
    } else if (may_be_moved_as_it_is(item)) {
      sources.push_back({real_side(session, item.change), nullptr});
    } else if (may_be_new_name(item) || may_be_moved_over(item)) {
      targets.push_back(&item);
    }
  }
  put_moved_as_they_were_first(sources, targets);
  const std::vector<PatchFile> files = files_of(sources);
  KnownPaths known{session};
  BasesByPath by_tree;
  for (const review::Rename& rename : find_moves(session, files, targets)) {
    if (sources[rename.from].owner == nullptr) {
      continue;
    }
    ReviewItem& from = *sources[rename.from].owner;
    ReviewItem& to = *targets[rename.to];
    const TwoSides sides = sides_of_rename(from.change, to.change);
    const Base row = base_of_source(session, from, by_tree);
    const auto base = merger.base_of(sides, &row);
    if (from.drift == Drift::None && same_state(base->entry(), row.entry())) {
      continue;
    }
    if (may_be_another(session, known, files, rename, *base, to)) {
      continue;  // what the project made of the old name is in conflict with its deletion
    }
    if (may_be_put_there(to)) {
      put_rename(merger.resolve(sides, &*base), from, to);
    } else {
      to.resolution = Resolution{};
      to.resolution.verdict = Verdict::Conflict;
      to.resolution.clash = Clash::TakesBack;
    }
  }
  put_bases(session, by_tree);
}

}  // namespace shadow::changes
