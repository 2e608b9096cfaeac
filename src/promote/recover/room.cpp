// SPDX-License-Identifier: MIT
#include "promote/recover/room.hpp"

#include "shadow/error.hpp"

#include "base/amounts.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

// nullopt where the filesystem does not say, such as a tmpfs without a limit.
std::optional<std::uint64_t> bytes_left(const std::string& path) {
  struct statvfs st {};
  if (::statvfs(path.c_str(), &st) != 0 || st.f_blocks == 0) {
    return std::nullopt;
  }
  return std::uint64_t{st.f_bavail} * st.f_frsize;
}

// Between subvolumes of one btrfs nothing is renamed, but cloned, which needs no room.
bool may_clone(const Tree& tree, const std::string& path) {
  struct statfs project {};
  struct statfs state {};
  return ::fstatfs(tree.root(), &project) == 0 && ::statfs(path.c_str(), &state) == 0 &&
         project.f_type == BTRFS_SUPER_MAGIC && state.f_type == BTRFS_SUPER_MAGIC;
}

// Holes are not copied.
std::uint64_t bytes_of(const Tree& tree, const std::string& path) {
  constexpr std::uint64_t kBlock = 512;
  struct stat st {};
  try {
    if (::fstat(tree.node(path).get(), &st) != 0 || !S_ISREG(st.st_mode)) {
      return 0;
    }
  } catch (const Error&) {
    return 0;  // whoever copies it says what is wrong
  }
  return std::min(static_cast<std::uint64_t>(st.st_size),
                  static_cast<std::uint64_t>(st.st_blocks) * kBlock);
}

}  // namespace

bool is_ours_alone(const Entry& entry) {
  return entry.nlink == 1 && entry.uid == ::geteuid();
}

bool is_on_filesystem(const Tree& tree, const std::string& path) {
  struct stat first {};
  struct stat second {};
  return ::fstat(tree.root(), &first) == 0 && ::stat(path.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev;
}

void require_room(const Tree& tree, const ApplySite& site, const std::vector<ToCopy>& files) {
  std::uint64_t needed = 0;
  std::uint64_t largest = 0;
  std::string path;
  for (const ToCopy& file : files) {
    const std::uint64_t bytes = bytes_of(tree, file.at);
    needed += bytes;
    if (path.empty() || bytes > largest) {
      largest = bytes;
      path = file.path;
    }
  }
  const auto left =
      needed == 0 || may_clone(tree, site.state) ? std::nullopt : bytes_left(site.state);
  if (left && needed > *left) {
    const std::string others =
        files.size() == 1 ? std::string{} : " and of " + std::to_string(files.size() - 1) + " more";
    throw Error{
        "cannot keep the earlier content of " + quoted(path) + others +
            " for an undo: " + human_size(needed) + " are needed in " + quoted(site.state) +
            ", and " + human_size(*left) + " are left",
        "make room there: 'shadow list' shows what sessions hold, 'shadow discard' drops it",
        ExitCode::Trouble,
        {path}};
  }
}

void require_room_for_undo(const Tree& tree, const ApplySite& site, const Journal& journal) {
  const bool can_move = is_on_filesystem(tree, site.state);
  std::vector<ToCopy> files;
  for (std::size_t index = 0; index < journal.steps(); ++index) {
    const Entry& before = journal.before(index);
    if (before.kind != EntryKind::File || (can_move && is_ours_alone(before))) {
      continue;
    }
    const Row row = journal.of_step(index);
    const Operation operation = operation_of(row);
    if (operation == Operation::Put || operation == Operation::Delete) {
      files.push_back({row.path, row.path});
    }
  }
  require_room(tree, site, files);
}

}  // namespace shadow::promote
