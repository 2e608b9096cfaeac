// SPDX-License-Identifier: MIT
#include "bases/ledger/applied.hpp"

#include "shadow/error.hpp"

#include "bases/capture/capture.hpp"
#include "bases/capture/drift.hpp"
#include "bases/ledger/copies.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "bases/ledger/seen.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/stable_read.hpp"
#include "overlay/write/lift.hpp"
#include "overlay/write/prune.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/same_content.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::bases {

namespace {

using Bases = std::map<std::string, Base>;

Base new_base(const AppliedEntry& path, const std::optional<Base>& old) {
  // If only attributes changed, the content is still the old base's.
  const bool attributes = path.hash.empty() && path.now.kind == EntryKind::File && old &&
                          old->is_known() && same_state(old->entry(), path.before);
  return Base::known(path.now, BaseSource::Apply,
                     attributes ? old->content() : BaseContent::hashed(path.hash));
}

class TakingOut {
 public:
  explicit TakingOut(const session::ReviewSession& session)
      : session_{session},
        copies_{session},
        blobs_{session.state.path()},
        stays_hidden_{hidden_by_session(*session.db, session.dir, session.lower.get())} {}

  // The paths are sorted.
  void take_out(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (copies_.is_copied_directory(path)) {
        overlay::lift_copy(upper(), lower(), path, [this](const std::string& inside) {
          return copies_.find(inside) != nullptr;
        });
      }
    }
    // Whatever else the upper has nothing of was deleted with a directory.
    std::set<std::string> copied;
    std::copy_if(paths.begin(), paths.end(), std::inserter(copied, copied.end()),
                 [this](const std::string& path) { return is_copy(path); });
    overlay::prune(
        upper(), lower(), paths,
        [this](int dir, const std::string& name, const std::string& path) {
          keep_text(dir, name, path);
        },
        stays_hidden_);
    for (const std::string& path : paths) {
      if (hides_later_change(path)) {
        const bool copy = copies_.find(path) != nullptr;
        overlay::drop(upper(), lower(), path, stays_hidden_);
        if (!copy || !has_text_of_base(path)) {
          start_anew(path);
        }
      } else if (copied.count(path) != 0 && has_other_base(path) && !has_text_of_base(path) &&
                 !overlay::look_beneath(upper(), path).exists()) {
        start_anew(path);  // its base is what the session began with, and the project has another
      } else if (copies_.is_copied_directory(path)) {
        keep_for_what_is_in_it(path);
      }
    }
  }

  [[nodiscard]] const Bases& changed() const { return changed_; }
  [[nodiscard]] const Copies& copies() const { return copies_; }

 private:
  [[nodiscard]] int upper() const { return session_.upper.get(); }
  [[nodiscard]] int lower() const { return session_.lower.get(); }

  [[nodiscard]] std::optional<Base> base_of(const std::string& path) const {
    const auto changed = changed_.find(path);
    return changed == changed_.end() ? store::find_base(*session_.db, session_.row.id, path)
                                     : std::optional{changed->second};
  }

  // The upper's file is the same as the real one. When that is the base, it is the base's text.
  // Without the text an edit on both sides is a conflict later: no reason to stop here.
  void keep_text(int dir, const std::string& name, const std::string& path) {
    try {
      move_text(dir, name, path);
    } catch (const Error&) {
      return;
    }
  }

  void move_text(int dir, const std::string& name, const std::string& path) {
    const auto base = base_of(path);
    if (!base || !wants_text(*base) ||
        !same_state(overlay::look_beneath(lower(), path), base->entry())) {
      return;
    }
    const sys::Fd file = sys::try_open_at(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!file || overlay::look_fd(file.get()).kind != EntryKind::File) {
      return;
    }
    const std::string blob = blobs_.take(dir, name, store::hash_file(file.get())).name;
    changed_.insert_or_assign(path, base->with(BaseContent::stored(blob)));
  }

  [[nodiscard]] bool has_other_base(const std::string& path) const {
    const auto base = base_of(path);
    return !base || !same_state(overlay::look_beneath(lower(), path), base->entry());
  }

  // What the session knew stays its base: the view shows the project's from now on, and the agent
  // may write from memory all the same.
  [[nodiscard]] bool has_text_of_base(const std::string& path) const {
    const auto base = base_of(path);
    return base && base->entry().kind == EntryKind::File && base->is_known() &&
           !wants_text(*base) && overlay::look_beneath(lower(), path).kind == EntryKind::File;
  }

  // The session sees the real entry from now on: that is what its next change starts from. Looked
  // at after the drop, and nothing of the session runs.
  void start_anew(const std::string& path) {
    changed_.insert_or_assign(path,
                              Base::known(overlay::look_beneath(lower(), path), BaseSource::Apply));
  }

  // A directory in which a run has made something stays where the project's has gone: it is the
  // session's own by now, as it was while the run went on, whatever was there before.
  void keep_for_what_is_in_it(const std::string& path) {
    if (base_of(path) && !overlay::look_beneath(lower(), path).exists()) {
      changed_.insert_or_assign(path, Base::absent(BaseSource::Apply));
    }
  }

  // True if the upper still has the applied version, or a copy of the project's, while the project
  // has a newer one: a merge, or a later edit.
  [[nodiscard]] bool hides_later_change(const std::string& path) const {
    if (copies_.find(path) != nullptr) {
      return is_copy(path) && is_copy_inside(path);  // else a run has made something of it
    }
    const auto found = base_of(path);
    if (!found || found->source() != BaseSource::Apply) {
      return false;
    }
    const Base& base = *found;
    const Entry above = overlay::look_beneath(upper(), path);
    const Entry below = overlay::look_beneath(lower(), path);
    if (!above.exists() || same_state(below, base.entry())) {
      return false;
    }
    const sys::SplitPath parts = sys::split_path(path);
    const sys::Fd dir = sys::open_beneath(upper(), parts.parent, O_PATH | O_DIRECTORY);
    if (overlay::is_whiteout_at(dir.get(), std::string{parts.name}, above)) {
      return base.is_absent() && below.exists();
    }
    const bool mergeable = above.kind == EntryKind::File || above.kind == EntryKind::Symlink;
    const sys::Fd file = above.kind == EntryKind::File
                             ? sys::try_open_beneath(upper(), path, O_RDONLY | O_NONBLOCK)
                             : sys::Fd{};
    return mergeable && equals_base(above, file.get(), base);
  }

  [[nodiscard]] bool is_copy(const std::string& path) const {
    if (copies_.find(path) == nullptr) {
      return false;
    }
    const Entry own = overlay::look_beneath(upper(), path);
    return own.exists() && (copies_.is_copy(path, overlay::is_whiteout(own) ? Entry{} : own) ||
                            is_touched_copy(path, own));
  }

  // A directory goes with all that is in it, and does not tell that a file in it was written.
  [[nodiscard]] bool is_copy_inside(const std::string& path) const {
    const sys::Fd dir = sys::try_open_beneath(upper(), path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!dir) {
      return true;
    }
    const auto entries = overlay::list_upper(dir.get());
    return std::all_of(entries.begin(), entries.end(), [&](const overlay::UpperEntry& entry) {
      return is_copy(sys::join_path(path, entry.path));
    });
  }

  // True if a run has only given the copy new times: the copy was made of the base, and is it
  // still.
  [[nodiscard]] bool is_touched_copy(const std::string& path, const Entry& own) const {
    const store::PlacedCopy& copy = *copies_.find(path);
    const auto base = base_of(path);
    if (own.kind != EntryKind::File || own.ino != copy.own.ino ||
        own.btime_ns > copy.own.ctime_ns || !base || base->entry().ctime_ns != copy.real_ctime_ns) {
      return false;
    }
    const sys::Fd file = sys::try_open_beneath(upper(), path, O_RDONLY | O_NONBLOCK);
    return equals_base(own, file.get(), *base);
  }

  const session::ReviewSession& session_;
  Copies copies_;
  store::Blobs blobs_;
  overlay::StaysHidden stays_hidden_;
  Bases changed_;
};

}  // namespace

Base base_of_session(const session::ReviewSession& session, const Change& change,
                     const std::optional<std::string>& text) {
  store::Blobs blobs{session.state.path()};
  Entry entry = change.after;
  entry.ino = 0;  // no real entry is this one
  if (text) {
    return Base::known(std::move(entry), BaseSource::Apply,
                       BaseContent::stored(blobs.put_bytes(*text)));
  }
  const sys::Fd file =
      sys::open_beneath(session.upper.get(), change.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  const std::string name = blobs.put(file.get());
  const bool whole =
      !overlay::is_young(change.after) || sys::same_content(file.get(), blobs.open(name).get());
  if (!whole || !same_state(overlay::look_fd(file.get()), change.after)) {
    overlay::throw_changed_meanwhile("cannot read", change.path);
  }
  return Base::known(std::move(entry), BaseSource::Apply, BaseContent::stored(name));
}

void put_new_base(const session::ReviewSession& session, const NewBases& of_session,
                  const AppliedEntry& path) {
  if (const auto own = of_session.find(path.path); own != of_session.end()) {
    store::put_base(*session.db, session.row.id, path.path, own->second);
    return;
  }
  const bool attributes = path.hash.empty() && path.now.kind == EntryKind::File;
  store::put_base(
      *session.db, session.row.id, path.path,
      new_base(path, attributes ? store::find_base(*session.db, session.row.id, path.path)
                                : std::nullopt));
}

void take_out_applied(const session::ReviewSession& session) {
  const std::vector<std::string> paths = store::pending_prunes(*session.db, session.row.id);
  TakingOut taking{session};
  taking.take_out(paths);
  store::Transaction transaction{*session.db};
  for (const auto& [path, base] : taking.changed()) {
    store::put_base(*session.db, session.row.id, path, base);
  }
  forget_gone(session, paths);
  taking.copies().remember_shown();
  store::clear_pending_prunes(*session.db, session.row.id);
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
  transaction.commit();
}

namespace {

void copy_texts(const session::ReviewSession& session) {
  store::Blobs blobs{session.state.path()};
  Bases kept;
  for (auto& [path, base] : store::bases_without_text(*session.db, session.row.id)) {
    if (!wants_text(base)) {
      continue;
    }
    const sys::Fd file =
        sys::try_open_beneath(session.lower.get(), path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    if (!file || !same_state(overlay::look_fd(file.get()), base.entry())) {
      continue;
    }
    Base with_text = base.with(BaseContent::stored(blobs.put(file.get())));
    if (same_state(overlay::look_fd(file.get()), base.entry())) {
      kept.insert_or_assign(path, std::move(with_text));
    }
  }
  store::Transaction transaction{*session.db};
  for (const auto& [path, base] : kept) {
    const auto now = store::find_base(*session.db, session.row.id, path);
    if (now && wants_text(*now) && same_state(now->entry(), base.entry())) {
      store::put_base(*session.db, session.row.id, path, base);
    }
  }
  transaction.commit();
}

}  // namespace

void keep_applied_texts(const session::ReviewSession& session) {
  try {
    copy_texts(session);
  } catch (const Error&) {
    // The apply is done. Where a text is missing, an edit on both sides is a conflict later.
    return;
  }
}

}  // namespace shadow::bases
