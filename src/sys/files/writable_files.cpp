// SPDX-License-Identifier: MIT
#include "sys/files/writable_files.hpp"

#include "shadow/error.hpp"

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace shadow::sys {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY;

// A process ends whenever it likes: what cannot be read of it is not there.
template <class Read>
void while_it_lives(const Read& read) {
  try {
    read();
  } catch (const SysError&) {
    return;
  }
}

std::optional<pid_t> parent_of(int proc, const std::string& process) {
  std::optional<pid_t> parent;
  while_it_lives([&] {
    const std::string stat = read_file_at(proc, process + "/stat").value_or("");
    // After the name, which is in parentheses and may hold anything, and the state.
    const std::size_t name_end = stat.rfind(')');
    constexpr std::size_t kStateLength = 4;
    pid_t number = 0;
    if (name_end != std::string::npos && name_end + kStateLength < stat.size() &&
        read_numbers(std::string_view{stat}.substr(name_end + kStateLength), number)) {
      parent = number;
    }
  });
  return parent;
}

// Within a pid namespace whoever loses its parent becomes pid 1's child: all of a run descend from
// its first process.
std::vector<pid_t> with_descendants(int proc, const std::vector<pid_t>& processes) {
  std::multimap<pid_t, pid_t> children;
  for (const DirEntry& entry : list_dir(proc)) {
    pid_t process = 0;
    if (!read_numbers(entry.name, process)) {
      continue;
    }
    if (const auto parent = parent_of(proc, entry.name)) {
      children.emplace(*parent, process);
    }
  }
  std::vector<pid_t> found = processes;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const auto [begin, end] = children.equal_range(found[next]);
    std::for_each(begin, end, [&found](const auto& child) { found.push_back(child.second); });
  }
  return found;
}

bool is_open_for_writing(int proc, const std::string& process, const std::string& number) {
  const std::string info = read_file_at(proc, process + "/fdinfo/" + number).value_or("");
  constexpr std::string_view kFlags = "flags:";
  const std::size_t at = info.find(kFlags);
  if (at == std::string::npos) {
    return false;
  }
  const std::size_t digits = info.find_first_not_of("\t ", at + kFlags.size());
  unsigned flags = 0;
  constexpr int kOctal = 8;
  if (digits == std::string::npos ||
      std::from_chars(info.data() + digits, info.data() + info.size(), flags, kOctal).ec !=
          std::errc{}) {
    return false;
  }
  const unsigned mode = flags & O_ACCMODE;
  return (flags & O_PATH) == 0 && (mode == O_WRONLY || mode == O_RDWR);
}

void add_open(int proc, pid_t process, std::vector<WritableFile>& files) {
  const std::string name = std::to_string(process);
  const Fd open = open_at(proc, name + "/fd", kDirectory);
  for (const DirEntry& entry : list_dir(open.get())) {
    while_it_lives([&] {
      if (!is_open_for_writing(proc, name, entry.name)) {
        return;
      }
      struct statx st {};
      // Not synchronised: the file may be on a filesystem that answers when it likes.
      if (::statx(open.get(), entry.name.c_str(), AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO,
                  &st) == 0 &&
          S_ISREG(st.stx_mode)) {
        files.push_back({makedev(st.stx_dev_major, st.stx_dev_minor), st.stx_ino, process});
      }
    });
  }
}

// "begin-end perms offset major:minor inode name", perms "rw-s": what is shared and writable.
void add_mapped(int proc, pid_t process, std::vector<WritableFile>& files) {
  const std::string maps = read_file_at(proc, std::to_string(process) + "/maps").value_or("");
  for (const std::string& line : split(maps, '\n')) {
    const std::vector<std::string> fields = split(line, ' ');
    constexpr std::size_t kInode = 4;
    constexpr std::size_t kWrite = 1;
    constexpr std::size_t kShared = 3;
    if (fields.size() <= kInode || fields[1].size() <= kShared || fields[1][kWrite] != 'w' ||
        fields[1][kShared] != 's') {
      continue;
    }
    constexpr int kHexadecimal = 16;
    const std::string& device = fields[3];
    const char* const end = device.data() + device.size();
    unsigned major = 0;
    unsigned minor = 0;
    std::uint64_t inode = 0;
    const auto first = std::from_chars(device.data(), end, major, kHexadecimal);
    if (first.ptr != end && std::from_chars(first.ptr + 1, end, minor, kHexadecimal).ptr == end &&
        read_numbers(fields[kInode], inode) && inode != 0) {
      files.push_back({makedev(major, minor), inode, process});
    }
  }
}

}  // namespace

std::vector<WritableFile> writable_files_of(const std::vector<pid_t>& processes) {
  std::vector<WritableFile> files;
  const Fd proc = open_path("/proc", kDirectory);
  for (const pid_t process : with_descendants(proc.get(), processes)) {
    while_it_lives([&] { add_open(proc.get(), process, files); });
    while_it_lives([&] { add_mapped(proc.get(), process, files); });
  }
  return files;
}

bool is_open_for_writing(int dir, const std::string& name) {
  const Fd file = try_open_at(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file) {
    return false;
  }
  if (::fcntl(file.get(), F_SETLEASE, F_RDLCK) != 0) {
    return errno == EAGAIN;
  }
  (void)::fcntl(file.get(), F_SETLEASE, F_UNLCK);
  return false;
}

}  // namespace shadow::sys
