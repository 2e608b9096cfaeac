// SPDX-License-Identifier: MIT
#include "changes/rights/directory_rights.hpp"

#include "sys/files/beneath.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"

#include <fcntl.h>

namespace shadow::changes {

bool may_have_projects_rights(const Change& change, std::int64_t base_time_ns) {
  const Entry& real = change.before;
  if (real.kind != EntryKind::Directory || change.after.kind != EntryKind::Directory) {
    return false;
  }
  return change.copied_up ? real.ctime_ns > base_time_ns && real.ctime_ns >= change.after.btime_ns
                          : real.btime_ns == 0 || real.btime_ns > base_time_ns;
}

bool may_lose_acl(int lower, const Change& change, const Base* base) {
  const bool since = base == nullptr || change.before.ctime_ns > base->entry().ctime_ns;
  if (!since || !change.acl_changed || change.before.kind != EntryKind::Directory ||
      change.after.kind != EntryKind::Directory || change.before.mode != change.after.mode) {
    return false;
  }
  const sys::Fd dir = sys::try_open_beneath(lower, change.path, O_RDONLY | O_DIRECTORY);
  return !dir || sys::get_xattr(dir.get(), sys::kAccessAcl) ||
         sys::get_xattr(dir.get(), sys::kDefaultAcl);
}

}  // namespace shadow::changes
