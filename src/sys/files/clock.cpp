// SPDX-License-Identifier: MIT
#include "sys/files/clock.hpp"

#include "shadow/error.hpp"

#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace shadow::sys {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;

std::int64_t read_clock(clockid_t id) {
  timespec now{};
  ::clock_gettime(id, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

// Those with FS_MGTIME.
bool is_multigrain(int directory) {
  using Type = decltype(statfs::f_type);
  constexpr std::array<Type, 4> kTypes = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
                                          TMPFS_MAGIC};
  struct statfs fs {};
  return ::fstatfs(directory, &fs) == 0 &&
         std::find(kTypes.begin(), kTypes.end(), fs.f_type) != kTypes.end();
}

}  // namespace

std::int64_t now_ns() {
  return read_clock(CLOCK_REALTIME);
}
std::int64_t monotonic_ns() {
  return read_clock(CLOCK_MONOTONIC);
}
std::int64_t coarse_now_ns() {
  return read_clock(CLOCK_REALTIME_COARSE);
}

// A time that was asked for is stamped anew at full precision, and nothing is stamped earlier from
// then on, whatever the file. Filesystems that read the coarse clock themselves do not heed that.
std::int64_t change_time_now_ns(int directory) {
  const std::int64_t coarse = coarse_now_ns();
  const Fd file{is_multigrain(directory) ? ::memfd_create("time", MFD_CLOEXEC) : -1};
  struct stat st {};
  constexpr std::array<timespec, 2> kModifiedNow = {timespec{0, UTIME_OMIT}, {0, UTIME_NOW}};
  if (!file || ::fstat(file.get(), &st) != 0 || ::futimens(file.get(), kModifiedNow.data()) != 0 ||
      ::fstat(file.get(), &st) != 0) {
    return coarse;
  }
  return st.st_ctim.tv_sec * kSecond + st.st_ctim.tv_nsec;
}

void wait_for_coarse_tick(std::int64_t then_ns) {
  while (coarse_now_ns() <= then_ns) {
    const timespec pause{0, kMillisecond / 4};
    ::nanosleep(&pause, nullptr);
  }
}

std::string boot_id() {
  const auto text = read_file_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id");
  if (!text) {
    throw Error{"cannot read the boot id: /proc is not mounted"};
  }
  return text->substr(0, text->find('\n'));
}

}  // namespace shadow::sys
