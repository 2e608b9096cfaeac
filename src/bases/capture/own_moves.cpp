// SPDX-License-Identifier: MIT
#include "bases/capture/own_moves.hpp"

#include "shadow/patch.hpp"

#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "review/renames.hpp"

#include <vector>

namespace shadow::bases {
namespace {

// True if the project's file at the path may have another name in the session: it is deleted there,
// or something of another origin is in its place.
bool has_left_its_name(const Change& change) {
  if (!change.before.exists() || change.after.kind != EntryKind::File) {
    return change.before.exists() && change.after.kind != change.before.kind;
  }
  return !change.copied_up;
}

}  // namespace

OwnMoves find_own_moves(const session::ReviewSession& session) {
  OwnMoves moves;
  for (const overlay::UpperEntry& entry : overlay::list_upper(session.upper.get())) {
    if (entry.entry.nlink > 1 && entry.entry.kind == EntryKind::File &&
        overlay::look_beneath(session.lower.get(), entry.path).exists()) {
      moves.links.insert(entry.entry.ino);
    }
  }
  std::vector<PatchFile> files;
  std::size_t left_their_names = 0;
  const ChangeSet all = overlay::scan(session.upper.get(), session.lower.get());
  for (const Change& change : all.changes) {
    const bool gone = change.before.kind == EntryKind::File && !change.after.exists();
    const bool made = change.after.kind == EntryKind::File && !change.before.exists() &&
                      moves.links.count(change.after.ino) == 0;
    left_their_names += has_left_its_name(change) ? 1U : 0U;
    if (gone || made) {
      files.push_back({change.path,
                       change.before,
                       change.after,
                       {session.lower.get(), change.path, {}},
                       {session.upper.get(), change.path, {}}});
    }
  }
  for (const review::Rename& rename : review::find_renames(files, {})) {
    moves.old_names.emplace(files[rename.to].path, files[rename.from].path);
  }
  moves.may_be_more = left_their_names > moves.old_names.size();
  return moves;
}

}  // namespace shadow::bases
