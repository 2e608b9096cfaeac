// SPDX-License-Identifier: MIT
#include "bases/capture/upper_text.hpp"

#include "bases/capture/capture.hpp"
#include "bases/capture/drift.hpp"
#include "overlay/format/look.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"

namespace shadow::bases {

void keep_upper_text(const session::ReviewSession& session, const std::string& path) {
  const auto base = store::find_base(*session.db, session.row.id, path);
  if (!base || !wants_text(*base)) {
    return;
  }
  const sys::Fd file =
      sys::try_open_beneath(session.upper.get(), path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file || !equals_base_content(overlay::look_fd(file.get()), file.get(), *base)) {
    return;
  }
  store::Blobs blobs{session.state.path()};
  const std::string blob = blobs.put(file.get());
  if (blob == base->content().hash()) {
    store::put_base(*session.db, session.row.id, path, base->with(BaseContent::stored(blob)));
  }
}

}  // namespace shadow::bases
