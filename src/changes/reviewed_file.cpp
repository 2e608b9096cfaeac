// SPDX-License-Identifier: MIT
#include "changes/reviewed_file.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/quiet_open.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>

namespace shadow::changes {

sys::Fd open_reviewed(int root, const std::string& path, const Entry& reviewed) {
  sys::Fd file = sys::try_open_quietly(root, path, O_RDONLY | O_NONBLOCK);
  if (file ? overlay::look_fd(file.get()).ino != reviewed.ino : sys::is_missing(errno)) {
    throw StaleError{"cannot read " + quoted(path) + ": it changed meanwhile",
                     "look at the changes again",
                     ExitCode::Refused,
                     {path}};
  }
  return file;
}

}  // namespace shadow::changes
