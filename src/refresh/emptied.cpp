// SPDX-License-Identifier: MIT
#include "refresh/emptied.hpp"

#include "bases/ledger/copies.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/prune.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::refresh {
namespace {

class Emptied {
 public:
  // Borrows the session.
  explicit Emptied(const session::ReviewSession& session) : session_{session}, copies_{session} {
    for (std::string& path : store::pending_prunes(*session.db, session.row.id)) {
      applied_.insert(std::move(path));
    }
  }

  // Of a directory that the project has not.
  [[nodiscard]] bool is_redundant(const std::string& path) const {
    const sys::Fd dir =
        sys::try_open_beneath(session_.upper.get(), path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!dir || !(is_as_found(dir.get(), path) || is_as_copied(dir.get(), path))) {
      return false;
    }
    const std::vector<sys::DirEntry> children = sys::list_dir(dir.get());
    return std::all_of(children.begin(), children.end(), [&](const sys::DirEntry& child) {
      return is_known_deletion(dir.get(), child.name, sys::join_path(path, child.name));
    });
  }

 private:
  // One that was made anew has no origin, and is opaque if the project still had one then, which
  // hides nothing by now: it is as what was there, or was applied.
  [[nodiscard]] bool is_as_found(int dir, const std::string& path) const {
    if (!overlay::is_opaque(dir) && (applied_.count(path) != 0 || overlay::has_origin(dir))) {
      return true;
    }
    const auto base = store::find_base(*session_.db, session_.row.id, path);
    return base && base->is_known() && base->entry().kind == EntryKind::Directory &&
           base->entry().mode == overlay::look_fd(dir).mode;
  }

  [[nodiscard]] bool is_as_copied(int dir, const std::string& path) const {
    return copies_.is_copied_directory(path) &&
           overlay::look_fd(dir).mode == copies_.find(path)->own.mode;
  }

  // Applied, or noted as one that both sides made.
  [[nodiscard]] bool is_known_deletion(int dir, const std::string& name,
                                       const std::string& path) const {
    return overlay::is_whiteout_at(dir, name, overlay::look_at(dir, name)) &&
           (is_applied_deletion(path) || copies_.is_copy(path, Entry{}));
  }

  // The session may have moved since what was applied: then its deletion tells of a conflict.
  [[nodiscard]] bool is_applied_deletion(const std::string& path) const {
    if (applied_.count(path) == 0) {
      return false;
    }
    const auto base = store::find_base(*session_.db, session_.row.id, path);
    return base && base->is_absent();
  }

  const session::ReviewSession& session_;
  bases::Copies copies_;
  std::set<std::string> applied_;
};

// Through the view a directory that goes leaves a whiteout, where the project has something else by
// now: that would hide it, and what comes after it. Whatever comes there next is no longer made of
// the directory.
void show_project(const session::ReviewSession& session, live::ViewEdit& edit,
                  const std::string& path) {
  if (overlay::look_beneath(session.lower.get(), path).exists()) {
    edit.restore(path);
  }
  store::Transaction transaction{*session.db};
  bases::note_copy(session, path, edit.copied());
  transaction.commit();
}

}  // namespace

bool remove_emptied(const session::ReviewSession& session, live::ViewEdit* edit,
                    const std::set<std::string>& paths) {
  std::set<std::string, std::greater<>> candidates;  // children before their parents
  for (const std::string& path : paths) {
    for (std::string_view at = path; !at.empty(); at = sys::split_path(at).parent) {
      candidates.emplace(at);
    }
  }
  // Mostly none is left: what follows reads tables.
  std::erase_if(candidates, [&session](const std::string& path) {
    const auto is_directory = [&path](const sys::Fd& root) {
      return overlay::look_beneath(root.get(), path).kind == EntryKind::Directory;
    };
    return is_directory(session.lower) || !is_directory(session.upper);
  });
  if (candidates.empty()) {
    return false;
  }
  const Emptied emptied{session};
  bool any = false;
  for (const std::string& path : candidates) {
    if (!emptied.is_redundant(path)) {
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
