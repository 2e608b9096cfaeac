// SPDX-License-Identifier: MIT
#include "refresh/emptied.hpp"

#include "bases/ledger/copies.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/prune.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace shadow::refresh {
namespace {

bool is_redundant(const session::ReviewSession& session, const std::string& path, bool applied) {
  if (overlay::look_beneath(session.lower.get(), path).kind == EntryKind::Directory) {
    return false;
  }
  const sys::Fd dir =
      sys::try_open_beneath(session.upper.get(), path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return dir && (applied || overlay::has_origin(dir.get())) && !overlay::is_opaque(dir.get()) &&
         sys::is_empty_dir(dir.get());
}

// Through the view a directory that goes leaves a whiteout, where the project has something else by
// now: that would hide it, and what comes after it.
void show_project(const session::ReviewSession& session, live::ViewEdit& edit,
                  const std::string& path) {
  if (!overlay::look_beneath(session.lower.get(), path).exists()) {
    return;
  }
  edit.restore(path);
  store::Transaction transaction{*session.db};
  bases::note_copy(session, path, edit.copied());
  transaction.commit();
}

}  // namespace

bool remove_emptied(const session::ReviewSession& session, live::ViewEdit* edit,
                    const std::set<std::string>& paths) {
  std::set<std::string, std::greater<>> above;  // children before their parents
  for (const std::string& path : paths) {
    std::string_view parent = sys::split_path(path).parent;
    for (; !parent.empty(); parent = sys::split_path(parent).parent) {
      above.emplace(parent);
    }
  }
  if (above.empty()) {
    return false;
  }
  const std::vector<std::string> list = store::pending_prunes(*session.db, session.row.id);
  const std::set<std::string> applied{list.begin(), list.end()};
  bool any = false;
  for (const std::string& path : above) {
    if (!is_redundant(session, path, applied.count(path) != 0)) {
      continue;
    }
    if (edit != nullptr) {
      if (edit->remove_if_empty(path)) {
        show_project(session, *edit, path);
        any = true;
      }
    } else {
      overlay::drop(session.upper.get(), session.lower.get(), path);
      any = true;
    }
  }
  return any;
}

}  // namespace shadow::refresh
