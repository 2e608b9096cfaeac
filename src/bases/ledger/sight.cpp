// SPDX-License-Identifier: MIT
#include "bases/ledger/sight.hpp"

#include "bases/capture/moved_in.hpp"
#include "bases/ledger/unrecorded.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "session/directory/live_runs.hpp"
#include "store/tables/placed_copies.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace shadow::bases {

using promote::Seen;

Seen sight_of(const SightFacts& facts) {
  if (std::min(facts.written_ns, facts.hidden_ns) <= facts.real_changed_ns) {
    return Seen::No;
  }
  return facts.began_ns > facts.real_changed_ns ? Seen::Yes : Seen::Maybe;
}

bool may_undo(const UndoFacts& facts) {
  if (facts.session == EntryKind::Directory) {
    // With something in it, it is the way to that, and no change itself.
    return facts.empty && !facts.copied_up;
  }
  if (facts.seen == Seen::No) {
    return false;
  }
  switch (facts.session) {
    case EntryKind::Absent:
      return true;
    case EntryKind::File:
      return facts.made_later || !facts.base_time || !facts.copied_up;
    case EntryKind::Symlink:  // overlayfs marks no copy of these in a user namespace
      return facts.made_later || !facts.base_time;
    default:
      return false;
  }
}

std::int64_t content_written_ns(const Entry& session) {
  const std::int64_t changed = entry_written_ns(session);
  return session.kind == EntryKind::File ? std::min(session.mtime_ns, changed) : changed;
}

std::int64_t entry_written_ns(const Entry& session) {
  return session.exists() ? session.ctime_ns : INT64_MAX;
}

Sight::Sight(const session::ReviewSession& session)
    : session_{session},
      first_base_time_ns_{std::min(session.row.base_time_ns, session.row.created_ns)},
      anew_ns_{store::last_runs(*session.db, session.row.id).anew_ns},
      copies_{session} {
  const std::vector<std::string> list = store::pending_prunes(*session.db, session.row.id);
  applied_ = {list.begin(), list.end()};
}

Seen Sight::of(const std::string& path, const Entry& real, std::int64_t written_ns,
               const Base& base) const {
  if (copies_.has_shown(path, real)) {
    const auto hidden = store::hidden_since(*session_.db, session_.row.id, path);
    return sight_of({real.ctime_ns, written_ns, INT64_MAX, hidden ? hidden->began_ns : 0});
  }
  if (!real.exists() && store::was_seen_beside(*session_.db, session_.row.id, path,
                                               overlay::look_beneath(session_.upper.get(), path))) {
    return Seen::No;  // it went afterwards
  }
  // The session made its entry of a copy of a version that came after the base: since then it has
  // hidden what became of that.
  if (!real.exists() && base.entry().exists() &&
      copies_.shown_ctime_ns(path) > base.entry().ctime_ns) {
    return Seen::No;
  }
  // A copy was of an earlier version. The ledger's base is what the project had when the session
  // had its entry already.
  if (copies_.find(path) != nullptr || base.source() == BaseSource::Ledger ||
      applied_.count(path) != 0) {
    return Seen::No;
  }
  // Another file that is older than the base came with a directory that was put in the place of its
  // own: nothing tells when. A refresh renews the session's base time, and not this base.
  if (real.exists() && real.ino != base.entry().ino && real.ctime_ns <= first_base_time_ns_) {
    return Seen::No;
  }
  SightFacts facts;
  facts.real_changed_ns = real.ctime_ns;
  facts.written_ns = written_ns;
  if (const auto hidden = hidden_since(path)) {
    // What no run made has no times there, and is older than everything in question.
    facts.hidden_ns = hidden->since_ns;
    facts.began_ns = hidden->began_ns;
  } else if (written_ns != INT64_MAX && session::holder_of(session_.dir) == session::Holder::Run) {
    // A live run has made it since the last look at the upper.
    facts.hidden_ns = written_ns;
  }
  return sight_of(facts);
}

// Also with a directory above that is the session's own: a file of the same name may have been
// there before.
std::optional<store::Hidden> Sight::hidden_since(const std::string& path) const {
  auto first = store::hidden_since(*session_.db, session_.row.id, path);
  for (std::string_view above = sys::split_path(path).parent; first && !above.empty();
       above = sys::split_path(above).parent) {
    const std::string directory{above};
    const auto seen = overlay::is_opaque_directory(session_.upper.get(), directory)
                          ? store::find_seen(*session_.db, session_.row.id, directory)
                          : std::nullopt;
    if (seen && !hid_nothing(*seen)) {
      const auto hidden = store::hidden_since(*session_.db, session_.row.id, directory);
      first = hidden && hidden->since_ns < first->since_ns ? hidden : first;
    }
  }
  return first;
}

bool Sight::is_later(const std::string& path, const Entry& real) const {
  const auto hidden = store::hidden_since(*session_.db, session_.row.id, path);
  if (!hidden) {
    return false;
  }
  const bool may_have_come_later =
      real.exists() && may_have_moved_in(session_.lower.get(), path, hidden->since_ns);
  return !may_have_come_later &&
         overlay::look_nearest(session_.lower.get(), path).entry.ctime_ns < hidden->since_ns;
}

bool Sight::has_taken_over(const std::string& path, const Entry& real) const {
  // What is older than any base came with a directory, at a time of its own.
  return real.exists() && real.ctime_ns > first_base_time_ns_ && real.ctime_ns < anew_ns_ &&
         (!may_have_moved_in(session_.lower.get(), path, anew_ns_) ||
          has_stayed(std::string{sys::split_path(path).parent}));
}

bool Sight::has_stayed(const std::string& directory) const {
  constexpr int kMostLooks = 100;
  if (!tree_read_) {
    tree_ = read_base_tree(session_.dir.fd());
    tree_read_ = true;
  }
  const auto [known, is_new] = stayed_.try_emplace(directory, false);
  if (!is_new || !tree_) {
    return known->second;
  }
  const auto place = [this](const std::string& path) {
    return std::lower_bound(
        tree_->entries.begin(), tree_->entries.end(), path,
        [](const TreeEntry& entry, const std::string& wanted) { return entry.path < wanted; });
  };
  const std::string inside = directory + '/';
  auto at = place(inside);
  for (int looks = 0; looks < kMostLooks && !known->second && at != tree_->entries.end() &&
                      at->path.starts_with(inside);
       ++looks) {
    const std::size_t slash = at->path.find('/', inside.size());
    if (slash != std::string::npos) {
      at = place(at->path.substr(0, slash) + '0');  // which follows '/'
      continue;
    }
    const Entry now = overlay::look_beneath(session_.lower.get(), at->path);
    known->second = now.exists() && now.ino == at->entry.ino && now.ctime_ns < anew_ns_;
    ++at;
  }
  return known->second;
}

}  // namespace shadow::bases
