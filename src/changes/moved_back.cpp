// SPDX-License-Identifier: MIT
#include "changes/moved_back.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/quiet_open.hpp"
#include "sys/files/same_content.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fcntl.h>

namespace shadow::changes {
namespace {

// By size and time of last modification: a rename keeps both, in the project as in an overlay.
using Deleted = std::multimap<std::pair<std::uint64_t, std::int64_t>, std::string>;

Deleted deleted_files(const std::vector<ReviewItem>& items) {
  Deleted deleted;
  for (const ReviewItem& item : items) {
    const Entry& before = item.change.before;
    if (item.change.kind == ChangeKind::Deleted && before.kind == EntryKind::File) {
      deleted.emplace(std::pair{before.size, before.mtime_ns}, item.change.path);
    }
  }
  return deleted;
}

bool has_same_content(const session::ReviewSession& session, const std::string& real,
                      const std::string& own) try {
  const sys::Fd a = sys::try_open_quietly(session.lower.get(), real, O_RDONLY | O_NONBLOCK);
  const sys::Fd b = sys::try_open_quietly(session.upper.get(), own, O_RDONLY | O_NONBLOCK);
  return a && b && sys::same_content(a.get(), b.get());
} catch (const Error&) {
  return false;  // unreadable, or it changes just now
}

}  // namespace

void judge_moved_back(const session::ReviewSession& session, std::vector<ReviewItem>& items,
                      std::vector<ReviewItem>& behind) {
  const Deleted deleted = behind.empty() ? Deleted{} : deleted_files(items);
  if (deleted.empty()) {
    return;
  }
  const auto old_end = static_cast<std::ptrdiff_t>(items.size());
  std::erase_if(behind, [&](ReviewItem& kept) {
    const Entry& own = kept.change.after;
    const auto [first, last] = deleted.equal_range({own.size, own.mtime_ns});
    const bool is_moved = own.kind == EntryKind::File && own.size > 0 &&
                          std::any_of(first, last, [&](const auto& file) {
                            // What is below it is deleted because this file hides it.
                            return !is_at_or_below(file.second, kept.change.path) &&
                                   has_same_content(session, file.second, kept.change.path);
                          });
    if (is_moved) {
      kept.resolution.verdict = Verdict::Conflict;
      kept.resolution.clash = kept.change.before.exists() ? Clash::TakesBack : Clash::GoneInProject;
      items.push_back(std::move(kept));
    }
    return is_moved;
  });
  std::inplace_merge(
      items.begin(), items.begin() + old_end, items.end(),
      [](const ReviewItem& a, const ReviewItem& b) { return a.change.path < b.change.path; });
}

}  // namespace shadow::changes
