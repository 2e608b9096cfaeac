// SPDX-License-Identifier: MIT
#include "watch/shared_storage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <linux/magic.h>
#include <sys/vfs.h>

namespace shadow::watch {
namespace {

// Of these <linux/magic.h> has no name; each is in the filesystem's own source.
constexpr std::uint32_t kVirtualBox = 0x786f4256;  // fs/vboxsf
constexpr std::uint32_t kVmware = 0xbacbacbc;      // vmhgfs
constexpr std::uint32_t kLustre = 0x0bd00bd0;
constexpr std::uint32_t kGfs2 = 0x01161970;
constexpr std::uint32_t kBeeGfs = 0x19830326;
constexpr std::uint32_t kGpfs = 0x47504653;

// FUSE is what sshfs and virtiofs are, 9P the drives of the host in a virtual machine.
constexpr std::array<std::uint32_t, 17> kElsewhere = {
    AFS_FS_MAGIC,     AFS_SUPER_MAGIC, CEPH_SUPER_MAGIC,  CIFS_SUPER_MAGIC, CODA_SUPER_MAGIC,
    FUSE_SUPER_MAGIC, NFS_SUPER_MAGIC, OCFS2_SUPER_MAGIC, SMB_SUPER_MAGIC,  SMB2_SUPER_MAGIC,
    V9FS_MAGIC,       kVirtualBox,     kVmware,           kLustre,          kGfs2,
    kBeeGfs,          kGpfs,
};

}  // namespace

bool changes_elsewhere(int fd) {
  struct statfs fs {};
  return ::fstatfs(fd, &fs) == 0 &&
         std::find(kElsewhere.begin(), kElsewhere.end(), static_cast<std::uint32_t>(fs.f_type)) !=
             kElsewhere.end();
}

}  // namespace shadow::watch
