// SPDX-License-Identifier: MIT
#include "upkeep/reserve.hpp"

#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <exception>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace shadow::upkeep {
namespace {

constexpr const char* kReserve = "reserve";
constexpr const char* kUnfinished = "reserve.new";

// The journal of a transaction that forgets some ten thousand paths, and the files of its locks.
constexpr off_t kBytes = off_t{4} << 20U;
constexpr int kInodes = 16;

// The reserve is made only if this many times its size would remain.
constexpr std::uint64_t kPlenty = 4;

struct Room {
  std::uint64_t bytes = 0;
  std::uint64_t inodes = UINT64_MAX;  // of a filesystem that makes them as they are needed
};

Room room_in(const std::string& path) {
  struct statvfs st {};
  if (::statvfs(path.c_str(), &st) != 0) {
    return {};
  }
  return {st.f_bavail * st.f_frsize, st.f_files == 0 ? UINT64_MAX : st.f_favail};
}

bool is_there(const StateDir& state) {
  return ::access((state.path() + "/" + kReserve).c_str(), F_OK) == 0;
}

bool fill(const sys::Fd& directory) {
  const sys::Fd space =
      sys::open_at(directory.get(), "space", O_WRONLY | O_CREAT | O_EXCL, S_IRUSR);
  for (int i = 0; i < kInodes; ++i) {
    (void)sys::open_at(directory.get(), std::to_string(i), O_WRONLY | O_CREAT | O_EXCL, S_IRUSR);
  }
  return ::fallocate(space.get(), 0, 0, kBytes) == 0;
}

}  // namespace

void keep_reserve(const StateDir& state) noexcept {
  try {
    const Room room = room_in(state.path());
    if (is_there(state) || room.bytes < kPlenty * static_cast<std::uint64_t>(kBytes) ||
        room.inodes < kPlenty * static_cast<std::uint64_t>(kInodes)) {
      return;
    }
    const sys::Fd top = sys::open_path(state.path(), O_RDONLY | O_DIRECTORY);
    sys::remove_tree(top.get(), kUnfinished);
    if (!fill(sys::make_dirs(top.get(), kUnfinished, S_IRWXU)) ||
        ::renameat(top.get(), kUnfinished, top.get(), kReserve) != 0) {
      sys::remove_tree(top.get(), kUnfinished);
    }
  } catch (const std::exception&) {
    return;  // another time
  }
}

bool is_full(const StateDir& state) noexcept {
  const Room room = room_in(state.path());
  return room.bytes < static_cast<std::uint64_t>(kBytes) / kPlenty ||
         room.inodes < static_cast<std::uint64_t>(kInodes);
}

void use_reserve_if_full(const StateDir& state) noexcept {
  try {
    if (!is_full(state)) {
      return;
    }
    const sys::Fd top = sys::open_path(state.path(), O_RDONLY | O_DIRECTORY);
    sys::remove_tree(top.get(), kReserve);
  } catch (const std::exception&) {
    return;  // what needs the room says that there is none
  }
}

}  // namespace shadow::upkeep
