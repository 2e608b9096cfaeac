// SPDX-License-Identifier: MIT
#include "discard/live_discard.hpp"

#include "shadow/error.hpp"

#include "bases/capture/capture.hpp"
#include "bases/ledger/copies.hpp"
#include "bases/ledger/seen.hpp"
#include "overlay/format/look.hpp"
#include "refresh/emptied.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"

#include <string_view>

#include <unistd.h>

namespace shadow::discard {
namespace {

void remove_emptied_parents(live::ViewEdit& edit, const session::ReviewSession& session,
                            std::string_view path) {
  for (path = sys::split_path(path).parent; !path.empty(); path = sys::split_path(path).parent) {
    const std::string directory{path};
    if (overlay::look_beneath(session.lower.get(), directory).exists() ||
        !edit.remove_if_empty(directory)) {
      return;
    }
  }
}

}  // namespace

void restore_in_view(live::ViewEdit& edit, const session::ReviewSession& session,
                     const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    edit.restore(path);
    remove_emptied_parents(edit, session, path);
  }
  (void)refresh::remove_emptied(session, &edit, {paths.begin(), paths.end()});
  if (::syncfs(session.upper.get()) != 0) {
    throw_errno("sync the session's changes");
  }
}

bool record_copies(const session::ReviewSession& session, const live::ViewEdit& edit) {
  constexpr std::size_t kFew = 50;  // of more, the texts are kept in the background
  const auto text = edit.copied().size() <= kFew ? bases::Text::Kept : bases::Text::KeptLater;
  std::vector<std::string> paths;
  for (const auto& [path, entry] : edit.copied()) {
    if (!overlay::look_beneath(session.upper.get(), path).exists()) {
      continue;
    }
    const Entry now = overlay::look_beneath(session.lower.get(), path);
    const bool same = now.kind == entry.kind &&
                      (now.kind == EntryKind::Directory || !now.exists() || same_state(now, entry));
    if (!same) {
      return false;
    }
    bases::note_restored(session, path, entry, text);
    paths.push_back(path);
  }
  bases::note_placed(*session.db, session.row.id, session.upper.get(), paths);
  return true;
}

}  // namespace shadow::discard
