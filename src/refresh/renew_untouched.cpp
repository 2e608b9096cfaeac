// SPDX-License-Identifier: MIT
#include "refresh/renew_untouched.hpp"

#include "shadow/error.hpp"

#include "bases/capture/capture.hpp"
#include "bases/capture/existence.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "session/directory/background.hpp"
#include "session/selection/selection.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"
#include "sys/files/lock.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::refresh {

namespace {

using Bases = std::map<std::string, Base>;

bool is_now(const session::ReviewSession& session, const std::string& path, const Base& base) {
  return base.is_known() &&
         same_state(overlay::look_beneath(session.lower.get(), path), base.entry());
}

// Adds drifted paths without a base: without a row they would be as old as the new base time. What
// the old tree knows of them is recorded, since it goes.
void add_without_row(const std::vector<ReviewItem>& items, const Bases& old,
                     bases::Existence& existence, Bases& bases) {
  std::vector<const ReviewItem*> drifted;
  std::vector<std::string> paths;
  for (const ReviewItem& item : items) {
    if (item.drift != Drift::None && old.count(item.change.path) == 0) {
      drifted.push_back(&item);
      paths.push_back(item.change.path);
    }
  }
  if (!paths.empty()) {
    existence.fetch_texts(paths);
  }
  for (const ReviewItem* item : drifted) {
    const Change& change = item->change;
    Entry seen = change.before;
    if (!seen.exists()) {
      seen.kind = EntryKind::File;  // something was there, and the project has it no more
    }
    const bool gone = !change.before.exists() && change.after.kind == EntryKind::Directory;
    const auto by_tree = gone ? existence.base_of_gone_directory(change)
                              : existence.base_by_tree(change.path, change.before);
    // What the session moved here from a name that has gone was not here.
    const bool tells = by_tree && !(item->drift == Drift::Vanished && by_tree->is_absent());
    bases.insert_or_assign(change.path, tells ? *by_tree : Base::unknown(std::move(seen)));
  }
}

// Paths that have an entry in the session, or are hidden by one above: a directory that it removed
// or made anew.
class Touched {
 public:
  explicit Touched(int upper) {
    for (const overlay::UpperEntry& entry : overlay::list_upper(upper)) {
      entries_.insert(entry.path);
      if (entry.kind != overlay::UpperKind::MergedDir) {
        hiding_.insert(entry.path);
      }
    }
  }

  [[nodiscard]] bool has(const std::string& path) const {
    if (entries_.count(path) != 0) {
      return true;
    }
    for (std::string_view at = sys::split_path(path).parent; !at.empty();
         at = sys::split_path(at).parent) {
      if (hiding_.count(at) != 0) {
        return true;
      }
    }
    return false;
  }

 private:
  std::set<std::string> entries_;
  std::set<std::string, std::less<>> hiding_;
};

}  // namespace

// One less than the time of the clock that stamps files: a stamp of the same tick counts as later,
// and no stamp from here on is earlier (since Linux 6.13 some are of a finer clock, and later).
std::int64_t base_time_now() {
  return sys::coarse_now_ns() - 1;
}

void renew_untouched(const session::ReviewSession& session, std::int64_t base_time_ns) {
  const sys::FileLock ledger =
      sys::lock_file_at(session.dir.fd(), "ledger", sys::LockMode::Exclusive);
  auto facts = session.dir.read_facts();
  if (!facts) {
    return;
  }
  store::Database& db = *session.db;
  const Bases old = store::all_bases(db, session.row.id);
  const ReviewSet set =
      changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::Yes);
  const Touched touched{session.upper.get()};
  Bases bases;
  bases::Existence existence{session, facts->base_time_ns};
  add_without_row(set.items, old, existence, bases);
  add_without_row(set.behind, old, existence, bases);
  // The tree will know nothing of these any more, or the wrong thing: a later one.
  for (const auto& [path, base] : old) {
    if (touched.has(path) && !base.is_known()) {
      bases.insert_or_assign(path, Base::unknown(base.entry()));
    }
  }
  store::Transaction transaction{db};
  for (const auto& [path, base] : bases) {
    store::put_base(db, session.row.id, path, base);
  }
  for (const auto& [path, base] : old) {
    if (!touched.has(path) && path.rfind(".git/", 0) != 0 && !is_now(session, path, base)) {
      store::delete_base(db, session.row.id, path);
    }
  }
  store::set_base_time(db, session.row.id, base_time_ns);
  transaction.commit();
  // The database first: with bases that are newer than its time a session sees too many edits.
  facts->base_time_ns = base_time_ns;
  facts->renewed = true;
  session.dir.write_facts(*facts);
  ::unlinkat(session.dir.fd(), bases::kBaseTree, 0);
  sys::replace_file_at(session.dir.fd(), session::kTakingLock, {}, S_IRUSR | S_IWUSR);
  try {
    session::keep_bases_in_background(session.dir);
  } catch (const Error&) {
    return;  // no process to be had: the next run's end has it taken
  }
}

}  // namespace shadow::refresh
