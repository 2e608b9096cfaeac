// SPDX-License-Identifier: MIT
#include "bases/capture/moved_in.hpp"

#include "shadow/entry.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

namespace shadow::bases {

bool may_have_moved_in(int project, std::string_view path, std::int64_t since_ns) {
  const auto is_younger = [&](std::string_view directory) {
    const Entry entry =
        directory.empty() ? overlay::look_fd(project) : overlay::look_beneath(project, directory);
    return entry.ctime_ns >= since_ns;
  };
  for (std::string_view at = sys::split_path(path).parent; !at.empty();
       at = sys::split_path(at).parent) {
    if (is_younger(at) && is_younger(sys::split_path(at).parent)) {
      return true;
    }
  }
  return false;
}

}  // namespace shadow::bases
