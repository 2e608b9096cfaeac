// SPDX-License-Identifier: MIT
#include "bases/capture/moved_in.hpp"

#include "shadow/entry.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

namespace shadow::bases {

bool may_have_come(int project, std::string_view directory, std::int64_t since_ns) {
  const auto is_younger = [&](std::string_view at) {
    const Entry entry = at.empty() ? overlay::look_fd(project) : overlay::look_beneath(project, at);
    return entry.ctime_ns >= since_ns;
  };
  return is_younger(directory) && is_younger(sys::split_path(directory).parent);
}

bool may_have_moved_in(int project, std::string_view path, std::int64_t since_ns) {
  for (std::string_view at = sys::split_path(path).parent; !at.empty();
       at = sys::split_path(at).parent) {
    if (may_have_come(project, at, since_ns)) {
      return true;
    }
  }
  return false;
}

}  // namespace shadow::bases
