// SPDX-License-Identifier: MIT
#include "bases/upper_text.hpp"

#include "bases/capture.hpp"
#include "bases/drift.hpp"
#include "overlay/look.hpp"
#include "store/bases.hpp"
#include "store/blobs.hpp"
#include "sys/beneath.hpp"

namespace shadow {

void keep_upper_text(const ReviewSession& session, const std::string& path) {
  auto base = store::find_base(*session.db, session.row.id, path);
  if (!base || base->stored || !base->certain || !base->git_id.empty() ||
      base->entry.kind != EntryKind::File || base->entry.size > BaseCapture::kMostBytesOfAFile) {
    return;
  }
  const sys::Fd file =
      sys::try_open_beneath(session.upper.get(), path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file || !equals_base_content(overlay::look_fd(file.get()), file.get(), *base)) {
    return;
  }
  store::Blobs blobs{session.state.path()};
  if (blobs.put(file.get()) == base->hash) {
    base->stored = true;
    store::put_base(*session.db, session.row.id, path, *base);
  }
}

}  // namespace shadow
