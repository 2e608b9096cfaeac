// SPDX-License-Identifier: MIT
#include "changes/moves/moved_back.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/quiet_open.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>

namespace shadow::changes {
namespace {

struct DeletedFile {
  std::string path;
  std::optional<std::string> hash;  // of the project's file, read when first asked for
};

// By size and time of last modification: a rename keeps both, in the project as in an overlay.
using Deleted = std::multimap<std::pair<std::uint64_t, std::int64_t>, DeletedFile>;

Deleted deleted_files(const std::vector<ReviewItem>& items) {
  Deleted deleted;
  for (const ReviewItem& item : items) {
    const Entry& before = item.change.before;
    if (item.change.kind == ChangeKind::Deleted && before.kind == EntryKind::File) {
      deleted.emplace(std::pair{before.size, before.mtime_ns}, DeletedFile{item.change.path, {}});
    }
  }
  return deleted;
}

// Empty if it is unreadable, or changes just now.
std::string hash_at(int root, const std::string& path) try {
  const sys::Fd file = sys::try_open_quietly(root, path, O_RDONLY | O_NONBLOCK);
  return file ? to_hex(store::hash_file(file.get())) : std::string{};
} catch (const Error&) {
  return {};
}

// True if the session deletes the file that it has here, as another one of the project's.
bool is_moved(const session::ReviewSession& session, const Change& kept, Deleted& deleted) {
  const Entry& own = kept.after;
  const auto [first, last] = deleted.equal_range({own.size, own.mtime_ns});
  if (own.kind != EntryKind::File || own.size == 0 || first == last) {
    return false;
  }
  const std::string hash = hash_at(session.upper.get(), kept.path);
  return !hash.empty() && std::any_of(first, last, [&](auto& entry) {
    DeletedFile& file = entry.second;
    if (is_at_or_below(file.path, kept.path)) {
      return false;  // deleted because this file hides it
    }
    if (!file.hash) {
      file.hash = hash_at(session.lower.get(), file.path);
    }
    return *file.hash == hash;
  });
}

}  // namespace

void judge_moved_back(const session::ReviewSession& session, std::vector<ReviewItem>& items,
                      std::vector<ReviewItem>& behind) {
  Deleted deleted = behind.empty() ? Deleted{} : deleted_files(items);
  if (deleted.empty()) {
    return;
  }
  const auto old_end = static_cast<std::ptrdiff_t>(items.size());
  std::erase_if(behind, [&](ReviewItem& kept) {
    if (!is_moved(session, kept.change, deleted)) {
      return false;
    }
    kept.resolution.verdict = Verdict::Conflict;
    kept.resolution.clash = kept.change.before.exists() ? Clash::TakesBack : Clash::GoneInProject;
    items.push_back(std::move(kept));
    return true;
  });
  std::inplace_merge(
      items.begin(), items.begin() + old_end, items.end(),
      [](const ReviewItem& a, const ReviewItem& b) { return a.change.path < b.change.path; });
}

}  // namespace shadow::changes
