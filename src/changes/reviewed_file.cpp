// SPDX-License-Identifier: MIT
#include "changes/reviewed_file.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/capture/capture.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/quiet_open.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>

namespace shadow::changes {

std::optional<Base> base_of_item(const session::ReviewSession& session, const std::string& path,
                                 const ReviewItem& item) {
  auto row = store::find_base(*session.db, session.row.id, path);
  if (!row && item.base != nullptr) {
    row = Base::known(item.base->entry, BaseSource::Tree, BaseContent::stored(item.base->blob));
  }
  return row;
}

sys::Fd open_reviewed(int root, const std::string& path, const Entry& reviewed) {
  sys::Fd file = sys::try_open_quietly(root, path, O_RDONLY | O_NONBLOCK);
  if (file ? overlay::look_fd(file.get()).ino != reviewed.ino : sys::is_missing(errno)) {
    overlay::throw_changed_meanwhile("cannot read", path);
  }
  return file;
}

std::string read_reviewed(int root, const std::string& path, const Entry& reviewed) {
  const sys::Fd file = open_reviewed(root, path, reviewed);
  if (!file) {
    throw_errno("open " + quoted(path));
  }
  auto text = overlay::read_stable(file.get(), reviewed, bases::BaseCapture::kMostBytesOfAFile);
  if (!text) {
    overlay::throw_changed_meanwhile("cannot read", path);
  }
  return *std::move(text);
}

}  // namespace shadow::changes
