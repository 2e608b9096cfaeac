// SPDX-License-Identifier: MIT
#include "bases/ledger/copies.hpp"

#include "base/hash.hpp"
#include "bases/capture/capture.hpp"
#include "bases/ledger/seen.hpp"
#include "bases/tree/base_tree.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/made_from.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/same_content.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace shadow::bases {

Copies::Copies(const session::ReviewSession& session)
    : session_{session},
      copies_{store::placed_copies(*session.db, session.row.id)},
      shown_{store::shown_copies(*session.db, session.row.id)} {
}

const store::PlacedCopy* Copies::find(const std::string& path) const {
  const auto found = copies_.find(path);
  return found == copies_.end() ? nullptr : &found->second;
}

bool Copies::has_shown(const std::string& path, const Entry& real) const {
  if (const store::PlacedCopy* copy = find(path)) {
    return copy->real_ctime_ns == real.ctime_ns;
  }
  return shown_.count(path) != 0 && shown_ctime_ns(path) == real.ctime_ns;
}

std::int64_t Copies::shown_ctime_ns(const std::string& path) const {
  const auto shown = shown_.find(path);
  return shown == shown_.end() ? 0 : shown->second;
}

void Copies::remember_shown() const {
  for (const auto& [path, copy] : copies_) {
    if (copy.own.kind != EntryKind::Directory &&
        overlay::look_beneath(session_.upper.get(), path).exists()) {
      store::put_shown_copy(*session_.db, session_.row.id, path, copy.real_ctime_ns);
    }
  }
}

bool Copies::is_copy(const std::string& path, const Entry& own) const {
  const store::PlacedCopy* copy = find(path);
  if (copy == nullptr || copy->own.kind != own.kind) {
    return false;
  }
  // Whiteouts are links of one inode. One that went with a directory above was not left alone.
  return own.exists() ? same_state(copy->own, own)
                      : overlay::look_beneath(session_.upper.get(), path).exists();
}

bool Copies::is_untouched(const std::string& path, const Entry& own) const {
  return own.kind == EntryKind::Directory
             ? is_copied_directory(path) && own.mode == find(path)->own.mode
             : is_copy(path, own);
}

bool Copies::is_copied_directory(const std::string& path) const {
  const store::PlacedCopy* copy = find(path);
  if (copy == nullptr || copy->own.kind != EntryKind::Directory) {
    return false;
  }
  // What is in it, and its mode, may be the run's. One that was made later may have the inode.
  const Entry own = overlay::look_beneath(session_.upper.get(), path);
  return own.kind == EntryKind::Directory && own.ino == copy->own.ino &&
         own.btime_ns <= copy->own.ctime_ns;
}

bool Copies::came_later(const std::string& path) const {
  if (copies_.empty()) {
    return false;  // without a look at each directory above, of which there may be thousands
  }
  for (std::string_view at = path; !at.empty(); at = sys::split_path(at).parent) {
    const std::string directory{at};
    const Entry own = overlay::look_beneath(session_.upper.get(), directory);
    const store::PlacedCopy* copy = find(directory);
    if (at.size() == path.size()) {
      // A deletion that both sides had alike may have gone with a directory above.
      if (own.exists() || (copy != nullptr && copy->own.exists())) {
        return false;
      }
      continue;
    }
    if (copy != nullptr) {
      return is_copied_directory(directory) ||
             is_copy(directory, overlay::is_whiteout(own) ? Entry{} : own);
    }
    if (own.exists()) {
      return false;
    }
  }
  return false;
}

namespace {

// A copy has the time of what it was made from, and that was over when it was made: what a run
// wrote into it has a later one.
bool is_copy_of(const Entry& own, const Entry& real) {
  return own.kind == real.kind && own.size == real.size && own.mode == real.mode &&
         own.mtime_ns == real.mtime_ns;
}

// Its name in the store. Most copies have a text that was there before.
std::string keep_text(const session::ReviewSession& session, int file) {
  store::Blobs blobs{session.state.path()};
  std::string name = to_hex(store::hash_file(file));
  const sys::Fd there = blobs.open(name);
  return there && sys::same_content(there.get(), file) ? name : blobs.put(file);
}

// With its text, which the session's has as long as that is the copy.
Base base_of_copy(const session::ReviewSession& session, const std::string& path, const Entry& own,
                  const Entry& real) {
  Base base = Base::known(real, BaseSource::Apply);
  const sys::Fd file = wants_text(base) ? sys::try_open_beneath(session.upper.get(), path,
                                                                O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
                                        : sys::Fd{};
  if (!file) {
    return base;
  }
  Base with_text = base.with(BaseContent::stored(keep_text(session, file.get())));
  return same_state(overlay::look_fd(file.get()), own) ? with_text : base;
}

std::optional<Base> base_in_tree(const session::ReviewSession& session, const std::string& path) {
  const auto tree = read_base_tree(session.dir.fd());
  const TreeEntry* known = tree ? tree->find(path) : nullptr;
  return known != nullptr ? std::optional{base_of_tree(*known)} : std::nullopt;
}

void note_there(const session::ReviewSession& session, const std::string& path, const Entry& copy,
                const Entry& real) {
  store::Database& db = *session.db;
  store::put_placed_copy(db, session.row.id, path, {copy, real.ctime_ns});
  // Where nothing was before, all that comes after the copy is made from it. Elsewhere the text
  // from before tells what is taken back.
  auto base = store::find_base(db, session.row.id, path);
  if (!base && (base = base_in_tree(session, path))) {
    // No review and no run's end has put it down yet.
    store::put_base(db, session.row.id, path, *base);
  }
  if (!base || base->is_absent()) {
    store::put_base(db, session.row.id, path, base_of_copy(session, path, copy, real));
  } else if (real.kind == EntryKind::File) {
    store::put_made_from(db, session.row.id, path, *base,
                         {base_of_copy(session, path, copy, real)});
  }
}

// No entry is that copy any more.
Entry former_copy(const Entry& real) {
  Entry copy = real;
  copy.ino = 0;
  return copy;
}

// A run has changed or deleted it already, but the view had shown it. What the run made of it is
// the run's work.
void note_changed(const session::ReviewSession& session, const std::string& path,
                  const Entry& real) {
  note_there(session, path, former_copy(real), real);
}

void note_one(const session::ReviewSession& session, const std::string& path,
              const std::map<std::string, Entry>& copied) {
  store::Database& db = *session.db;
  const Entry own = overlay::look_beneath(session.upper.get(), path);
  const auto real = copied.find(path);
  if (!own.exists()) {
    store::put_base(db, session.row.id, path, Base::absent(BaseSource::Apply));
    store::delete_pending_prune(db, session.row.id, path);
    // Whatever the session makes below from now on is none of what was applied with it, nor a copy.
    store::delete_prunes_below(db, session.row.id, path);
    forget_gone(session, {path});
    return;
  }
  if (real != copied.end() && is_copy_of(own, real->second)) {
    note_there(session, path, own, real->second);
  } else if (real != copied.end() && real->second.kind != EntryKind::Directory) {
    note_changed(session, path, real->second);
    return;
  } else {
    store::add_pending_prune(db, session.row.id, path);
    // The project's has gone: what is left is there for what a run has made in it.
    if (own.kind == EntryKind::Directory &&
        !overlay::look_beneath(session.lower.get(), path).exists()) {
      store::put_base(db, session.row.id, path, Base::absent(BaseSource::Apply));
    }
  }
  note_placed(db, session.row.id, session.upper.get(), {path});
}

}  // namespace

void note_restored(const session::ReviewSession& session, const std::string& path,
                   const Entry& real, Text text) {
  const Entry own = overlay::look_beneath(session.upper.get(), path);
  const bool copy = is_copy_of(own, real);
  store::put_base(*session.db, session.row.id, path,
                  copy && text == Text::Kept ? base_of_copy(session, path, own, real)
                                             : Base::known(real, BaseSource::Apply));
  if (copy) {
    store::put_placed_copy(*session.db, session.row.id, path, {own, real.ctime_ns});
  } else {
    store::add_pending_prune(*session.db, session.row.id, path);
  }
}

void note_deleted(const session::ReviewSession& session, const std::string& path,
                  const Entry& real) {
  store::put_placed_copy(*session.db, session.row.id, path, {former_copy(real), real.ctime_ns});
}

void note_copy(const session::ReviewSession& session, const std::string& path,
               const std::map<std::string, Entry>& copied) {
  note_one(session, path, copied);
  const std::string below = path + '/';
  for (auto at = copied.lower_bound(below); at != copied.end() && at->first.starts_with(below);
       ++at) {
    note_one(session, at->first, copied);
  }
}

}  // namespace shadow::bases
