// SPDX-License-Identifier: MIT
#include "follow/version_notes.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "bases/ledger/ledger.hpp"
#include "bases/tree/base_tree.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "session/project/git_dir.hpp"
#include "store/tables/runs.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/lock.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fcntl.h>

namespace shadow::follow {
namespace {

// So long at a time: what changes meanwhile is to be seen soon.
constexpr std::int64_t kAtATimeNs = 20'000'000;
constexpr std::size_t kMostWaiting = 50'000;
constexpr std::uint64_t kMostRows = 20'000;
// Of one path: the first, from which an agent may write from memory, and the last ones.
constexpr std::size_t kMostOfAPath = 4;
constexpr std::uint64_t kMostBytesOfAFile = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostBytesAtATime = std::uint64_t{4} << 20U;
constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20U;
// As long as it took.
constexpr std::int64_t kRest = 1;

bool is_file_or_symlink(const Entry& entry) {
  return entry.kind == EntryKind::File || entry.kind == EntryKind::Symlink;
}

}  // namespace

void VersionNotes::add(const std::map<std::string, bool>& touched) {
  for (const auto& [path, written] : touched) {
    if (waiting_.size() + ready_.size() == kMostWaiting) {
      return;
    }
    if (!session::git_dir_of(path)) {
      waiting_[path] |= written;
    }
  }
}

void VersionNotes::shown() {
  for (const auto& [path, written] : waiting_) {
    ready_[path] |= written;
  }
  waiting_.clear();
}

std::optional<std::int64_t> VersionNotes::next() const {
  return ready_.empty() && !settle_ ? std::nullopt : std::optional{not_before_ns_};
}

void VersionNotes::note_some() {
  constexpr std::int64_t kPatience = 200'000'000;
  const std::int64_t begin = sys::monotonic_ns();
  if (!bases::has_base_tree(session_.dir.fd())) {
    not_before_ns_ = begin + kPatience;  // what was there before is being looked at
    return;
  }
  try {
    store::Database db{state_.database()};
    size_ = store::shown_size(db, session_.row.id);
    add_gone();
    look_at_some(db);
    write(db);
    if (settle_) {
      settle(db);
      settle_ = false;
    }
  } catch (const Error&) {
    // The session may be gone. What is not noted is judged by what is known otherwise; what is not
    // settled is tried again.
    found_.clear();
    not_before_ns_ = sys::monotonic_ns() + kPatience;
    return;
  }
  const std::int64_t end = sys::monotonic_ns();
  not_before_ns_ = end + kRest * (end - begin);
}

// What was deleted before the watch began: no event tells of it.
void VersionNotes::add_gone() {
  if (base_names_) {
    return;
  }
  base_names_.emplace(session_);
  for (std::string& path : base_names_->take_gone()) {
    ready_.emplace(std::move(path), true);
  }
}

void VersionNotes::look_at_some(store::Database& db) {
  const std::uint64_t before = size_.bytes;
  const std::int64_t end = sys::monotonic_ns() + kAtATimeNs;
  while (!ready_.empty() && sys::monotonic_ns() < end) {
    const auto one = ready_.extract(ready_.begin());
    try {
      note(db, one.key(), one.mapped());
    } catch (const Error&) {
      continue;  // unreadable, or it changes just now: another event will tell
    }
    if (size_.bytes > before + kMostBytesAtATime) {
      return;
    }
  }
}

// Reading may take long, and nobody is to wait for it.
void VersionNotes::write(store::Database& db) {
  const std::vector<Found> found = std::exchange(found_, {});
  if (found.empty()) {
    return;
  }
  store::Transaction transaction{db};
  for (const Found& one : found) {
    for (const std::int64_t noted_ns : one.forget) {
      store::delete_shown_version(db, session_.row.id, one.path, noted_ns);
    }
    store::put_shown_version(db, session_.row.id, one.path, one.version, one.text);
  }
  transaction.commit();
}

void VersionNotes::note(store::Database& db, const std::string& path, bool written) {
  const Entry real = overlay::look_beneath(session_.lower.get(), path);
  if (real.kind == EntryKind::Directory) {
    if (overlay::look_beneath(session_.upper.get(), path).exists() &&
        !store::find_seen(db, session_.row.id, path)) {
      settle_ = true;  // its rights may have changed
    }
    expand(path);
    return;
  }
  if (real.kind == EntryKind::File && real.nlink == 1 && !written) {
    return;
  }
  if (!real.exists()) {
    note_below(db, path);
  }
  const std::string hidden = hidden_by(path);
  if (hidden.empty()) {
    put(db, path, real);
  } else if (!store::find_seen(db, session_.row.id, hidden)) {
    settle_ = true;
  }
}

// A directory that was moved in, or was made with what is in it before it could be watched.
void VersionNotes::expand(const std::string& directory) {
  const sys::Fd dir =
      sys::try_open_beneath(session_.lower.get(), directory, O_RDONLY | O_DIRECTORY);
  if (!dir || rules_.ignored(directory, true)) {
    return;
  }
  for (const sys::DirEntry& entry : sys::list_dir(dir.get())) {
    const std::string path = sys::join_path(directory, entry.name);
    if (ready_.size() < kMostWaiting && !session::git_dir_of(path)) {
      ready_[path] = true;
    }
  }
}

// What went with a directory.
void VersionNotes::note_below(store::Database& db, const std::string& directory) {
  for (const std::string& path : store::shown_below(db, session_.row.id, directory)) {
    ready_[path] = true;
  }
}

// The entry of the upper that keeps the view from showing the project's; empty if there is none.
std::string VersionNotes::hidden_by(const std::string& path) const {
  for (std::string_view at = path; !at.empty(); at = sys::split_path(at).parent) {
    const Entry own = overlay::look_beneath(session_.upper.get(), at);
    if (!own.exists()) {
      continue;
    }
    const sys::Fd dir = own.kind == EntryKind::Directory && at != path
                            ? sys::try_open_beneath(session_.upper.get(), at, sys::kDirPath)
                            : sys::Fd{};
    if (!dir || overlay::is_opaque(dir.get())) {
      return std::string{at};
    }
  }
  return {};
}

void VersionNotes::put(store::Database& db, const std::string& path, const Entry& real) {
  constexpr std::int64_t kAtOnce = 100'000'000;
  if (real.exists() && !is_file_or_symlink(real)) {
    return;
  }
  std::vector<store::ShownVersion> known = store::shown_versions(db, session_.row.id, path);
  const bool may_go = size_.rows < kMostRows / 2 && base_names_ && base_names_->has(path);
  const bool same = known.empty()   ? !real.exists() && !may_go
                    : real.exists() ? same_state(known.back().base.entry(), real)
                                    : known.back().base.is_absent();
  if (same || size_.rows >= kMostRows) {
    return;
  }
  Found found;
  found.path = path;
  found.text = text_of(path, real);
  const Base base =
      real.exists() ? Base::known(real, BaseSource::Tree) : Base::absent(BaseSource::Tree);
  found.version = {
      sys::now_ns(),
      found.text ? base.with(BaseContent::hashed(to_hex(hash_bytes(*found.text)))) : base};
  // Who writes a file in several pieces closes it several times.
  if (!known.empty() && real.exists() && known.back().base.entry().ino == real.ino &&
      found.version.noted_ns - known.back().noted_ns < kAtOnce) {
    found.forget.push_back(known.back().noted_ns);
    known.pop_back();
  }
  if (known.size() == kMostOfAPath) {
    found.forget.push_back(known[known.front().base.is_absent() ? 2 : 1].noted_ns);
  }
  ++size_.rows;
  size_.bytes += found.text ? found.text->size() : 0;
  found_.push_back(std::move(found));
}

// Throws StaleError when it changes just now. What git ignores, like what a build makes, is not
// read.
std::optional<std::string> VersionNotes::text_of(const std::string& path, const Entry& real) {
  if (real.kind != EntryKind::File || real.size > kMostBytesOfAFile ||
      size_.bytes + real.size > kMostBytes || rules_.ignored(path, false)) {
    return std::nullopt;
  }
  const sys::Fd file = sys::open_beneath(session_.lower.get(), path, O_RDONLY | O_NONBLOCK);
  auto text = overlay::read_stable(file.get(), real, kMostBytesOfAFile);
  if (!text) {
    throw StaleError{"a file changed while it was read"};
  }
  return text;
}

void VersionNotes::settle(store::Database& db) const {
  const auto settling =
      sys::try_lock_file_at(session_.dir.fd(), session::kSettleLock, sys::LockMode::Shared);
  if (settling && session_.dir.current()) {
    bases::settle_runs(state_, session_.dir, session_.project.root, db);
  }
}

}  // namespace shadow::follow
