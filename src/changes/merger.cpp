// SPDX-License-Identifier: MIT
#include "changes/merger.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "bases/capture/capture.hpp"
#include "bases/capture/drift.hpp"
#include "changes/empty_directories.hpp"
#include "changes/reviewed_file.hpp"
#include "changes/rights/attributes.hpp"
#include "changes/worked_on.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "review/hunks.hpp"
#include "store/tables/made_from.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <utility>

namespace shadow::changes {
namespace {

using promote::Changed;
using promote::Seen;

bool has_base_content(int root, const std::string& path, const Entry& entry, const Base& base) {
  const sys::Fd file = entry.kind == EntryKind::File ? open_reviewed(root, path, entry) : sys::Fd{};
  return bases::equals_base_content(entry, file.get(), base);
}

// Symlinks have no mode of their own.
std::uint32_t mode_of(const Entry& entry) {
  return entry.exists() && entry.kind != EntryKind::Symlink ? entry.mode : 0;
}

// The content of a file that is only known by its times.
bool is_unknown(const Base& base) {
  return !base.is_known() || base.is_known_by_times();
}

promote::ThreeWay without_base(const TwoSides& sides) {
  promote::ThreeWay three;
  three.base_known = false;
  three.project = sides.project.kind;
  three.session = sides.session.kind;
  three.attributes = sides.attributes_differ ? Changed::Apart : Changed::Neither;
  three.content = sides.content_differs ? Changed::Apart : Changed::Alike;
  three.mode = mode_of(sides.project) == mode_of(sides.session) ? Changed::Alike : Changed::Apart;
  return three;
}

// All that the session has made since hid nothing of it, but for what has the time of an older
// copy.
Seen sight_of_taken_over(const Entry& project, std::int64_t written_ns) {
  return written_ns > project.ctime_ns ? Seen::Yes : Seen::No;
}

bool are_small(const TwoSides& sides) {
  return small_enough_to_merge(sides.project) && small_enough_to_merge(sides.session);
}

Resolution clashing(Resolution resolution, Clash clash) {
  resolution.verdict = Verdict::Conflict;
  resolution.clash = clash;
  return resolution;
}

}  // namespace

bool small_enough_to_merge(const Entry& entry) {
  return entry.size <= bases::BaseCapture::kMostBytesOfAFile;
}

TwoSides sides_of(const Change& change) {
  return {change.path,
          change.before,
          change.path,
          change.after,
          change.content_changed || change.kind != ChangeKind::Modified,
          change.xattrs_changed || change.acl_changed};
}

Merger::Merger(const session::ReviewSession& session)
    : session_{session},
      blobs_{session.state.path()},
      sight_{session},
      later_{store::made_from_paths(*session.db, session.row.id)} {
}

// True if the path is gone because the session deleted a directory as a whole; its entries at that
// time are not known.
bool Merger::gone_with_directory(const TwoSides& sides) const {
  return !sides.session.exists() &&
         !overlay::look_beneath(session_.upper.get(), sides.session_path).exists();
}

// A directory that was copied up is there for what the session has below it, which may have to be
// written: that the session did not change the directory itself does not let it go.
bool Merger::holds_changes(const TwoSides& sides, const Base& base) const {
  return sides.session.kind == EntryKind::Directory && base.entry().kind == EntryKind::Directory &&
         sides.project.kind != EntryKind::Directory &&
         !holds_traces_alone(session_.upper.get(), sides.session_path);
}

bool Merger::is_way_to_changes(const TwoSides& sides, const Base& base) const {
  return base.is_known() && !sides.project.exists() && holds_changes(sides, base) &&
         mode_of(sides.session) == mode_of(base.entry());
}

// True if the session's directory was there before the project had another thing in its place:
// overlayfs copies up none but the project's.
bool Merger::is_older_directory(const TwoSides& sides) const {
  return sides.session.kind == EntryKind::Directory && sides.project.kind != EntryKind::Directory &&
         overlay::is_copied_up(session_.upper.get(), sides.session_path);
}

// True if the session's directory is made of the one that it started from, in whose place the
// project has something else.
bool Merger::was_directory(const TwoSides& sides, const Base* base) const {
  return is_older_directory(sides) ||
         (base != nullptr && base->is_known() && holds_changes(sides, *base));
}

bool Merger::is_trace(const TwoSides& sides) const {
  return sides.project.exists() && is_older_directory(sides) &&
         holds_traces_alone(session_.upper.get(), sides.session_path);
}

bool Merger::may_undo_project(const TwoSides& sides, const Base& base, Seen seen) const {
  bases::UndoFacts facts;
  facts.session = sides.session.kind;
  facts.seen = seen;
  facts.copied_up = overlay::is_copied_up(session_.upper.get(), sides.session_path);
  facts.empty = is_empty_and_later(session_.upper.get(), sides.session_path, base);
  facts.base_time = sides.session.mtime_ns == base.entry().mtime_ns;
  facts.made_later = sides.project_path == sides.session_path &&
                     sight_.is_later(sides.session_path, sides.project);
  return bases::may_undo(facts);
}

// The project's entry, with the time that it had where the project is back at the version that the
// session's entry was made from: it was away from that for another branch, or a stash. What the
// session saw then it has seen; not what had gone again by then.
Entry Merger::project_as_seen(const TwoSides& sides, const Base* base) const {
  Entry project = sides.project;
  if (base == nullptr || !may_be_later(sides.session_path) ||
      sight_.has_shown(sides.session_path, project)) {
    return project;
  }
  const std::vector<Base> later =
      store::find_made_from(*session_.db, session_.row.id, sides.session_path, *base);
  if (!later.empty() && later.front().entry().ctime_ns < project.ctime_ns &&
      mode_of(project) == mode_of(later.front().entry()) &&
      has_base_content(session_.lower.get(), sides.project_path, project, later.front())) {
    project.ctime_ns = later.front().entry().ctime_ns;
  }
  return project;
}

promote::ThreeWay Merger::facts(const TwoSides& sides, const Base* base) const {
  // A renamed file's two names have no one time at which one hid the other.
  const bool one_name = sides.project_path == sides.session_path;
  const Entry project = one_name ? project_as_seen(sides, base) : sides.project;
  const bool taken_over =
      one_name && !is_older_directory(sides) && sight_.has_taken_over(sides.session_path, project);
  const std::int64_t content_ns = bases::content_written_ns(sides.session);
  if (base == nullptr || is_unknown(*base) || holds_changes(sides, *base) ||
      (!base->entry().exists() && gone_with_directory(sides))) {
    promote::ThreeWay three = without_base(sides);
    three.taken_over = taken_over;
    three.seen = taken_over ? sight_of_taken_over(project, content_ns) : Seen::No;
    return three;
  }
  promote::ThreeWay three;
  three.taken_over = taken_over;
  three.project = sides.project.kind;
  three.session = sides.session.kind;
  if (sides.attributes_differ) {
    three.attributes =
        attributes_by(session_, sides.session_path, one_name && !taken_over ? base : nullptr);
  }
  three.base = base->entry().kind;
  if (one_name) {
    const auto seen = [&](std::int64_t written_ns) {
      return taken_over ? sight_of_taken_over(project, written_ns)
                        : sight_.of(sides.session_path, project, written_ns, *base);
    };
    three.seen = seen(content_ns);
    three.entry_seen = seen(bases::entry_written_ns(sides.session));
  }
  const bool project_is_base =
      has_base_content(session_.lower.get(), sides.project_path, sides.project, *base);
  if (!sides.content_differs) {
    three.content = project_is_base ? Changed::Neither : Changed::Alike;
  } else if (project_is_base) {
    three.content = Changed::Session;
  } else {
    const bool session_is_base =
        has_base_content(session_.upper.get(), sides.session_path, sides.session, *base);
    const bool may_undo =
        session_is_base && (taken_over || may_undo_project(sides, *base, three.entry_seen));
    three.taken_back = may_undo && sides.project.exists() && sides.session.exists();
    // Or made once more after the project had deleted it.
    three.content = session_is_base && !may_undo ? Changed::Project : Changed::Apart;
  }
  three.mode =
      promote::changed_by(mode_of(base->entry()), mode_of(sides.project), mode_of(sides.session));
  return three;
}

std::optional<std::string> Merger::base_text(const Base& base) const {
  // What was a link or a directory has no lines that could be taken back.
  if (base.is_absent() || (base.is_known() && base.entry().kind != EntryKind::File)) {
    return std::string{};
  }
  if (!base.content().is_stored() || base.entry().kind != EntryKind::File) {
    return std::nullopt;
  }
  const sys::Fd blob = blobs_.open(base.content().hash());
  if (!blob) {
    return std::nullopt;
  }
  std::string text = sys::read_all(blob.get(), bases::BaseCapture::kMostBytesOfAFile);
  // Contents are not synced one by one: what a power cut left of it would be a wrong base.
  return to_hex(hash_bytes(text)) == base.content().hash() ? std::optional{std::move(text)}
                                                           : std::nullopt;
}

// True if the session's entry has all that the later version has beyond the base, or some of it
// that the project has given up. What it has left alone, or has put back, keeps that version's time
// or has not seen the project changed again; what it has moved it has not written.
bool Merger::is_made_from(const TwoSides& sides, const Base& base, const Base& later) const {
  const auto first = base_text(base);
  const auto second = base_text(later);
  if (!first || !second) {
    return false;
  }
  const std::string session = session_text(sides);
  if (*first == *second) {
    return mode_of(base.entry()) != mode_of(later.entry()) &&
           mode_of(sides.session) == mode_of(later.entry());
  }
  if (session == *second) {
    return sides.session_path != sides.project_path ||
           sides.session.mtime_ns == later.entry().mtime_ns ||
           sight_.of(sides.session_path, sides.project, bases::content_written_ns(sides.session),
                     base) == Seen::No;
  }
  return session != *first &&
         (worked_on_text(*first, *second, session) == promote::WorkedOn::Kept ||
          (sides.project.kind == EntryKind::File && small_enough_to_merge(sides.project) &&
           keeps_lines_given_up(*first, *second, project_text(sides), session)));
}

// The row's is the oldest that the session may have read: by that it is seen what was written from
// memory. What it has kept of a later one it has read, and made its own of. Where nothing was
// before, and the user has deleted the file, whatever it has there took the place of that; so it
// did where the file had been in the place of a directory or link.
std::optional<Base> Merger::base_of(const TwoSides& sides, const Base* base) const {
  if (base == nullptr) {
    return std::nullopt;
  }
  if (!may_be_later(sides.project_path) || sides.session.kind != EntryKind::File ||
      !small_enough_to_merge(sides.session)) {
    return *base;
  }
  const std::vector<Base> later =
      store::find_made_from(*session_.db, session_.row.id, sides.project_path, *base);
  const bool was_file = !later.empty() && later.front().entry().kind == EntryKind::File &&
                        base->entry().kind != EntryKind::File &&
                        sides.project.kind != EntryKind::File;
  if (was_file || (base->is_absent() && !sides.project.exists() && !later.empty())) {
    return later.front();
  }
  for (const Base& one : later) {
    const bool back =
        !base->is_absent() && mode_of(sides.project) == mode_of(one.entry()) &&
        has_base_content(session_.lower.get(), sides.project_path, sides.project, one);
    if (settles(sides, one) || (!back && is_made_from(sides, *base, one))) {
      return one;
    }
    if (back) {
      return *base;
    }
  }
  return *base;
}

// A conflict that the view has shown between markers, and that the session's text has no more.
bool Merger::settles(const TwoSides& sides, const Base& later) const {
  const auto shown =
      sides.session.mtime_ns > later.entry().ctime_ns ? base_text(later) : std::nullopt;
  return shown && settles_markers(*shown, session_text(sides));
}

std::string Merger::project_text(const TwoSides& sides) const {
  return read_reviewed(session_.lower.get(), sides.project_path, sides.project);
}

std::string Merger::session_text(const TwoSides& sides) const {
  return read_reviewed(session_.upper.get(), sides.session_path, sides.session);
}

std::optional<MergedText> Merger::merge(const TwoSides& sides, const Base* base,
                                        BaseText needed) const {
  if (!are_small(sides)) {
    return std::nullopt;
  }
  const auto text = base == nullptr ? std::nullopt : base_text(*base);
  if (!text && needed == BaseText::Kept) {
    return std::nullopt;
  }
  const review::MergeLabels labels{std::string{kMarkedProject}, text ? "base" : "base: not known",
                                   std::string{kMarkedSession} + printable(session_.row.agent)};
  std::string session = session_text(sides);
  auto result = review::merge_text(text.value_or(""), project_text(sides), session, labels);
  return MergedText{std::move(result), std::move(session)};
}

// The session's content was written when the project's was there already. What is no text needs no
// base to be compared with.
Resolution Merger::resolve_later(const TwoSides& sides, const Base* base, Resolution resolution,
                                 Seen seen) const {
  const bool small = are_small(sides) && (base == nullptr || small_enough_to_merge(base->entry()));
  const auto text = small && base != nullptr ? base_text(*base) : std::nullopt;
  if (small && !text && review::find_hunks(project_text(sides), session_text(sides), 0)) {
    return clashing(resolution, base == nullptr ? Clash::NoBase : Clash::NoText);
  }
  const auto worked_on =
      text ? worked_on_text(*text, project_text(sides), session_text(sides)) : std::nullopt;
  resolution =
      promote::resolve_later(resolution, seen, worked_on, small ? Clash::Binary : Clash::TooLarge);
  if (resolution.verdict == Verdict::Conflict) {
    resolution.clash =
        base == nullptr || base->entry().exists() ? resolution.clash : Clash::BothAdded;
  } else if (resolution.attributes == Side::Session &&
             (resolution.mode == Side::Session ||
              mode_of(sides.project) == mode_of(sides.session))) {
    resolution.verdict = Verdict::Write;
  }
  return resolution;
}

Resolution Merger::resolve(const TwoSides& sides, const Base* base) const {
  const promote::ThreeWay three = facts(sides, base);
  Resolution resolution = promote::resolve(three);
  if (resolution.clash == Clash::NoBase && !sides.project.exists()) {
    resolution.clash = Clash::GoneInProject;
  } else if (resolution.clash == Clash::NoBase && was_directory(sides, base)) {
    resolution.clash = Clash::Kind;
  } else if (resolution.clash == Clash::NoBase && base != nullptr && base->is_absent()) {
    // New in a directory that the session deleted.
    resolution.clash = sides.session.exists() ? resolution.clash : Clash::GoneInSession;
  }
  if (resolution.verdict != Verdict::Merge) {
    return resolution;
  }
  if (resolution.content != Side::Both) {
    return are_small(sides) ? resolution : clashing(resolution, Clash::TooLarge);
  }
  if (three.seen != Seen::No) {
    return resolve_later(sides, three.base_known ? base : nullptr, resolution, three.seen);
  }
  const auto merged = merge(sides, base, BaseText::Kept);
  if (!merged) {
    const bool large = !are_small(sides) || !small_enough_to_merge(base->entry());
    return clashing(resolution, large ? Clash::TooLarge : Clash::NoText);
  }
  if (merged->result.outcome != review::MergeResult::Outcome::Clean) {
    const bool binary = merged->result.outcome == review::MergeResult::Outcome::Binary;
    return clashing(resolution, binary ? Clash::Binary : Clash::Lines);
  }
  if (sides.project_path == sides.session_path && merged->result.text == project_text(sides)) {
    resolution.content = Side::Project;
    if (resolution.mode == Side::Project && three.attributes != Changed::Session) {
      resolution.verdict = Verdict::Nothing;
    }
  }
  return brings_back(sides, *base) ? clashing(resolution, Clash::TakesBack) : resolution;
}

// True if the session's entry has lines of a version that was shown after the base, and that the
// project has given up since: in part it was made from that, and a merge would bring them back.
bool Merger::brings_back(const TwoSides& sides, const Base& base) const {
  const auto first = base_text(base);
  const std::vector<Base> all =
      store::find_made_from(*session_.db, session_.row.id, sides.project_path, base);
  return std::any_of(all.begin(), all.end(), [&](const Base& later) {
    const auto second = base_text(later);
    return first && second && *first != *second &&
           has_lines_given_up(*first, *second, project_text(sides), session_text(sides));
  });
}

}  // namespace shadow::changes
