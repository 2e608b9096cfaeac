// SPDX-License-Identifier: MIT
#include "bases/capture/capture.hpp"

#include "shadow/error.hpp"

#include "bases/capture/alike.hpp"
#include "bases/capture/base_attributes.hpp"
#include "bases/capture/moved_in.hpp"
#include "bases/capture/read_deletions.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "session/directory/background.hpp"
#include "session/directory/review_session.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::bases {
namespace {

// The base of what was applied, discarded or rolled back: a file that is known by its times.
bool lacks_text(const Base& base) {
  return base.is_known() && !base.content().is_stored() && base.entry().kind == EntryKind::File &&
         base.entry().size <= BaseCapture::kMostBytesOfAFile;
}

// A link, or a file of which the text can be kept, that is not the base.
bool is_later(const Entry& real, const Base& base) {
  const bool is_kept =
      real.kind == EntryKind::Symlink ||
      (real.kind == EntryKind::File && real.size <= BaseCapture::kMostBytesOfAFile);
  return base.is_known() && is_kept && !same_state(real, base.entry());
}

// Something that can have been made from a file or a link, or has taken the place of one.
bool may_be_made_from(const overlay::UpperEntry& entry) {
  return entry.kind == overlay::UpperKind::Whiteout || entry.entry.kind == EntryKind::File ||
         entry.entry.kind == EntryKind::Symlink;
}

}  // namespace

bool wants_text(const Base& base) {
  return lacks_text(base) && base.content().object_id().empty();
}

BaseCapture::BaseCapture(const StateDir& state, const session::SessionDir& session, int lower,
                         std::int64_t base_time_ns)
    : state_{state},
      session_{session.id()},
      session_dir_{session},
      shown_{state, session.id()},
      lower_{lower},
      base_time_ns_{base_time_ns} {
}

std::vector<CapturedBase> BaseCapture::take(store::Database& db,
                                            const std::vector<TouchedEntry>& entries,
                                            std::int64_t began_ns) const {
  const std::vector<std::string> list = store::pending_prunes(db, session_);
  const std::set<std::string> pending{list.begin(), list.end()};
  std::vector<CapturedBase> bases;
  for (const TouchedEntry& touched : entries) {
    const std::string& path = touched.entry->path;
    const bool merged = touched.entry->kind == overlay::UpperKind::MergedDir;
    const auto known = store::find_base(db, session_, path);
    try {
      const Entry real = overlay::look_beneath(lower_, path);
      // A base that is known to be lost stays lost: a refresh has renewed the time that would make
      // it certain.
      const bool lost = known && known->is_lost();
      auto base = lost || (merged && known)      ? std::nullopt
                  : merged                       ? base_of_merged(touched, real)
                  : !known || !known->is_known() ? first_base(db, touched, real, began_ns)
                  : pending.count(path) != 0     ? std::nullopt
                                                 : renewed(db, *known, touched, real);
      if (base) {
        const bool is_base = same_state(real, base->entry());
        auto attributes = is_base ? attributes_of_real(lower_, path, real)
                                  : std::optional<store::BaseAttributes>{};
        bases.push_back({path, *std::move(base), std::move(attributes)});
      }
    } catch (const Error&) {
      // Unreadable, or changing as it is read: no base, and so a conflict rather than a guess, as
      // soon as its times say that it changed.
      continue;
    }
  }
  return bases;
}

// A directory that the session has only as it was copied up has the mode that the real one had. Of
// two different ones it is the session's change where the real one is as it was then; its times
// move with every name in it, but not without a change. Later only the base tree tells who changed
// it.
std::optional<Base> BaseCapture::base_of_merged(const TouchedEntry& touched,
                                                const Entry& real) const {
  if (real.kind != EntryKind::Directory) {
    return std::nullopt;
  }
  const std::int64_t copied_ns = touched.entry->entry.btime_ns;
  if (real.mode == touched.entry->entry.mode || real.ctime_ns <= base_time_ns_ ||
      real.ctime_ns < copied_ns) {
    // What it does not have, its access control list, may have been changed since the copy.
    Entry before = real;
    before.ctime_ns = std::min(real.ctime_ns, std::max(copied_ns, base_time_ns_));
    return Base::known(before, BaseSource::Ledger);
  }
  return tree() == nullptr ? std::nullopt : base_of_directory(*tree(), touched.entry->path, real);
}

std::vector<MadeFrom> BaseCapture::made_from(store::Database& db,
                                             const std::vector<TouchedEntry>& entries,
                                             const std::vector<CapturedBase>& bases) const {
  std::map<std::string_view, const Base*> taken;
  for (const CapturedBase& captured : bases) {
    taken.emplace(captured.path, &captured.base);
  }
  ReadDeletions deletions{entries};
  std::vector<MadeFrom> found;
  for (const TouchedEntry& touched : entries) {
    const std::string& path = touched.entry->path;
    if (!touched.first || !may_be_made_from(*touched.entry)) {
      continue;
    }
    const auto own = taken.find(path);
    const auto base =
        own != taken.end() ? std::optional{*own->second} : store::find_base(db, session_, path);
    const bool deletion = touched.entry->kind == overlay::UpperKind::Whiteout;
    if (base && base->is_known() && (!deletion || deletions.has(*base))) {
      std::vector<Base> later = later_than(db, touched, *base);
      if (!later.empty()) {
        found.push_back({path, *base, std::move(later)});
      }
    }
  }
  return found;
}

// What the project has now, if it was there before the entry; nullopt also of one that changes as
// it is read, or cannot be read.
std::optional<Base> BaseCapture::later_real(const TouchedEntry& touched, const Base& base) const {
  const std::string& path = touched.entry->path;
  try {
    const Entry real = overlay::look_beneath(lower_, path);
    const bool was_there = real.ctime_ns < std::min(touched.since_ns, touched.hidden_ns);
    return was_there && is_later(real, base) ? std::optional{base_of(path, real, true)}
                                             : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// And what was shown before that: a run may have read one of these just before the view had the
// next.
std::vector<Base> BaseCapture::later_than(store::Database& db, const TouchedEntry& touched,
                                          const Base& base) const {
  const std::string& path = touched.entry->path;
  std::vector<Base> later;
  if (auto real = later_real(touched, base)) {
    later.push_back(*std::move(real));
  }
  try {
    for (const store::ShownVersion& shown : shown_.versions(db, path)) {
      const Entry& entry = shown.base.entry();
      const bool known = std::any_of(later.begin(), later.end(), [&entry](const Base& one) {
        return same_state(one.entry(), entry);
      });
      if (!known && is_later(entry, base)) {
        later.push_back(shown_.kept(db, path, shown));
      }
    }
  } catch (const Error&) {
    return later;  // as in take()
  }
  return later;
}

std::vector<CapturedBase> BaseCapture::mend(store::Database& db) const {
  std::vector<CapturedBase> bases;
  for (auto& [path, base] : store::unsure_bases(db, session_)) {
    const Entry& entry = base.entry();
    if (base.is_lost() || !base.content().object_id().empty() || entry.size > kMostBytesOfAFile) {
      continue;
    }
    if (!base.is_known()) {
      if (tree() != nullptr) {
        bases.push_back({path, instead_of(path, std::move(base))});
      }
      continue;
    }
    const TreeEntry* known = entry.ctime_ns <= base_time_ns_ ? known_of(path) : nullptr;
    if (known != nullptr && !contradicts(*known, entry)) {
      const BaseContent content = content_of(*known);
      if (!content.is_nothing()) {
        bases.push_back({path, base.with(content)});
      }
    }
  }
  return bases;
}

const BaseTree* BaseCapture::tree() const {
  if (!tree_) {
    tree_ = read_base_tree(session_dir_.fd());
  }
  return tree_ ? &*tree_ : nullptr;
}

const TreeEntry* BaseCapture::known_of(const std::string& path) const {
  return tree() == nullptr ? nullptr : tree()->find(path);
}

bool BaseCapture::tree_tells_of(const std::string& path, const Entry& real) const {
  return known_of(path) != nullptr || (real.ctime_ns > base_time_ns_ && tree() != nullptr &&
                                       tree()->answer_for(path) == TreeAnswer::Absent);
}

// What the tree has in the place of a file or link that came since the session began; nullopt where
// none did, or the tree does not know.
std::optional<Base> BaseCapture::before_came(const std::string& path, const Entry& real) const {
  const bool is_new =
      real.kind != EntryKind::Directory && real.ctime_ns > base_time_ns_ && tree() != nullptr;
  return is_new ? base_without_file(*tree(), path) : std::nullopt;
}

// The tree's base instead of an uncertain one.
Base BaseCapture::instead_of(const std::string& path, Base unsure) const {
  if (const TreeEntry* known = known_of(path)) {
    return base_of_tree(*known);
  }
  if (tree() == nullptr) {
    return unsure;
  }
  const Entry& seen = unsure.entry();
  const bool absent =
      seen.kind != EntryKind::Directory && tree()->answer_for(path) == TreeAnswer::Absent;
  return absent ? Base::absent(BaseSource::Tree) : Base::unknown(seen);
}

// True if the project had this entry before any run that can have made the session's, and before
// anything above hid it: the session's was made from it, if from anything.
bool BaseCapture::came_before(const TouchedEntry& touched, const Entry& real,
                              std::int64_t began_ns) const {
  return touched.first && real.ctime_ns < std::min(began_ns, touched.hidden_ns) &&
         !may_have_moved_in(lower_, touched.entry->path, began_ns);
}

// True if what the session has was there when the project's went: the directory around that has
// changed since. That may be for another reason, but not before the look that the follower of a
// live run takes at once; what came unfollowed is of before only if it was copied up. Where a whole
// directory went, the session has its own as it was copied up: in one that it has made, anything
// can be of after that.
bool BaseCapture::came_before_deletion(store::Database& db, const TouchedEntry& touched,
                                       const Entry& real, std::int64_t began_ns) const {
  const Entry& own = touched.entry->entry;
  const bool has_content = own.kind == EntryKind::File || own.kind == EntryKind::Symlink;
  if (!touched.first || real.exists() || !has_content) {
    return false;
  }
  const std::string& path = touched.entry->path;
  if (shown_.was_gone(db, path)) {
    return false;
  }
  const overlay::Nearest around = overlay::look_nearest(lower_, path);
  return own.ctime_ns < around.entry.ctime_ns &&
         ((around.missing == path && came_followed(own, began_ns)) ||
          overlay::is_copied_up(session::open_upper(session_dir_).get(), around.missing));
}

bool BaseCapture::is_base_again(const TouchedEntry& touched, const Entry& real,
                                const Base& base) const {
  return touched.entry->kind == overlay::UpperKind::Plain && real.size <= kMostBytesOfAFile &&
         has_base_again(session::open_upper(session_dir_).get(), lower_, *touched.entry, real,
                        base);
}

// True if the project was followed already when the entry was made, by a run that began then.
bool BaseCapture::came_followed(const Entry& own, std::int64_t began_ns) const {
  const auto since_ns = session::followed_since(session_dir_);
  return since_ns && *since_ns >= began_ns && own.btime_ns >= *since_ns;
}

// What a live view showed where nothing was before: all that comes after it is made from it.
std::optional<Base> BaseCapture::shown_first(store::Database& db, const TouchedEntry& touched,
                                             const Entry& real) const {
  const auto shown = touched.first ? shown_.first(db, touched.entry->path) : std::nullopt;
  if (!shown) {
    return std::nullopt;
  }
  return shown->from(same_state(real, shown->entry()) ? BaseSource::Ledger : BaseSource::Tree);
}

// The path's state when the session could first have read it.
std::optional<Base> BaseCapture::first_base(store::Database& db, const TouchedEntry& touched,
                                            const Entry& real, std::int64_t began_ns) const {
  const std::string& path = touched.entry->path;
  const TreeEntry* known = known_of(path);
  if (known != nullptr && (real.ctime_ns > base_time_ns_ || contradicts(*known, real))) {
    Base base = base_of_tree(*known);
    if (is_base_again(touched, real, base)) {
      return base.from(BaseSource::Ledger);
    }
    if (!came_before_deletion(db, touched, real, began_ns)) {
      return base;
    }
    // What equals the version that the view showed last is none of the session's own.
    auto shown = shown_.last(db, path);
    return (shown ? *shown : base).from(BaseSource::Ledger);
  }
  const auto before = before_came(path, real);
  // A file or link that the session has deleted, where the project has a directory by now.
  const bool other_since =
      real.kind == EntryKind::Directory && touched.entry->kind == overlay::UpperKind::Whiteout;
  if (came_before_deletion(db, touched, real, began_ns)) {
    if (auto shown = shown_.last(db, path)) {
      return shown->from(BaseSource::Ledger);
    }
  }
  if (!real.exists() || before || other_since) {
    if (auto shown = shown_first(db, touched, real)) {
      return shown;
    }
  }
  if (!real.exists()) {
    return std::nullopt;  // see Existence
  }
  if (before && came_before(touched, real, began_ns)) {
    return base_of(path, real, true);
  }
  if (before) {
    // Whether a live run has deleted or replaced the directory or this, nothing tells.
    return before->is_absent() ? *before : Base::unknown(real);
  }
  Base base = base_of(path, real, false);
  return base.is_known() ? std::move(base) : instead_of(path, std::move(base));
}

// By its source a base tells whether the session's entry is known to have been there while the real
// file still was the base (BaseSource::Ledger). Then an entry that equals the base is redundant. Of
// one that was made later it is not known: it may have been made to undo what the project had by
// then.
std::optional<Base> BaseCapture::renewed(store::Database& db, const Base& known,
                                         const TouchedEntry& touched, const Entry& real) const {
  if (known.is_absent()) {
    if (auto shown = shown_first(db, touched, real)) {
      return shown;
    }
  }
  const bool is_base = same_state(real, known.entry());
  if (is_base && lacks_text(known)) {
    return base_of(touched.entry->path, real, true);
  }
  const bool by_ledger = known.source() == BaseSource::Ledger;
  if (is_base || (!by_ledger && is_base_again(touched, real, known))) {
    return by_ledger ? std::nullopt : std::optional{known.from(BaseSource::Ledger)};
  }
  return touched.first && by_ledger ? std::optional{known.from(BaseSource::Tree)} : std::nullopt;
}

Base BaseCapture::base_of(const std::string& path, const Entry& real, bool is_base) const {
  if (!is_base && !(real.exists() && real.ctime_ns <= base_time_ns_)) {
    return Base::unsettled(real);
  }
  if (real.kind != EntryKind::File || real.size > kMostBytesToHash) {
    return Base::known(real, BaseSource::Ledger);
  }
  const sys::Fd file = sys::open_beneath(lower_, path, O_RDONLY | O_NONBLOCK);
  store::Blobs blobs{state_.path()};
  BaseContent content = real.size <= kMostBytesOfAFile
                            ? BaseContent::stored(blobs.put(file.get()))
                            : BaseContent::hashed(to_hex(store::hash_file(file.get())));
  // Read whole and unchanged, or not at all.
  if (!same_state(real, overlay::look_fd(file.get()))) {
    throw StaleError{"a file changed while it was read"};
  }
  return Base::known(real, BaseSource::Ledger, std::move(content));
}

}  // namespace shadow::bases
