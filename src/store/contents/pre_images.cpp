// SPDX-License-Identifier: MIT
#include "store/contents/pre_images.hpp"

#include "shadow/error.hpp"

#include "base/numbers.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/processes/process.hpp"

#include <cerrno>
#include <optional>
#include <utility>

#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::store {
namespace {

std::string shelf_of(std::int64_t apply, std::int64_t ord) {
  constexpr std::int64_t kOnShelf = 64;
  return std::to_string(apply) + '/' + std::to_string(ord / kOnShelf);
}

std::string place(std::int64_t apply, std::int64_t ord) {
  return shelf_of(apply, ord) + '/' + std::to_string(ord);
}

std::optional<std::int64_t> number_of(const std::string& name) {
  std::int64_t number = 0;
  const auto rest = read_numbers(name, number);
  return rest && rest->empty() ? std::optional{number} : std::nullopt;
}

}  // namespace

PreImages::PreImages(const std::string& state_path) : path_{state_path + "/pre-images"} {
  const sys::Fd state = sys::open_path(state_path, O_RDONLY | O_DIRECTORY);
  (void)sys::make_dirs(state.get(), "pre-images", S_IRWXU);
  dir_ = sys::open_at(state.get(), "pre-images", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

bool PreImages::take(int dirfd, const std::string& name, std::int64_t apply, std::int64_t ord) {
  if (std::string shelf = shelf_of(apply, ord); shelf != shelf_place_) {
    shelf_ = sys::make_dirs(dir_.get(), shelf, S_IRWXU);
    shelf_place_ = std::move(shelf);
  }
  if (::renameat2(dirfd, name.c_str(), shelf_.get(), std::to_string(ord).c_str(),
                  RENAME_NOREPLACE) == 0) {
    return true;
  }
  // EXDEV also between two directories of one filesystem, by quota or encryption; EINVAL from those
  // whose rename knows no flags.
  if (errno == EXDEV || errno == EPERM || errno == EACCES || errno == EINVAL || errno == EEXIST) {
    return false;
  }
  throw_errno("keep the earlier content of a file");
}

sys::Fd PreImages::open(std::int64_t apply, std::int64_t ord) const {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  const std::string path = place(apply, ord);
  sys::Fd fd = sys::try_open_at(dir_.get(), path, kFlags);
  if (!fd && errno == EACCES) {
    // It has the mode that it had in the project, which may keep its owner from reading.
    const sys::Fd node = sys::try_open_at(dir_.get(), path, O_PATH | O_NOFOLLOW);
    if (node && ::chmod(sys::proc_path(node.get()).c_str(), S_IRUSR | S_IWUSR) == 0) {
      fd = sys::try_open_at(dir_.get(), path, kFlags);
    }
  }
  if (!fd && !sys::is_missing(errno)) {
    throw_errno("read the earlier content of a file");
  }
  return fd;
}

std::string PreImages::path_of(std::int64_t apply, std::int64_t ord) const {
  return path_ + '/' + place(apply, ord);
}

std::vector<std::int64_t> PreImages::applies() const {
  std::vector<std::int64_t> ids;
  for (const sys::DirEntry& entry : sys::list_dir(dir_.get())) {
    if (const auto id = number_of(entry.name)) {
      ids.push_back(*id);
    }
  }
  return ids;
}

PreImages::Usage PreImages::usage_of(std::int64_t apply) const {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  const sys::Fd dir = sys::open_at(dir_.get(), std::to_string(apply), kFlags);
  Usage usage;
  for (const sys::DirEntry& shelf : sys::list_dir(dir.get())) {
    const sys::Fd files = sys::open_at(dir.get(), shelf.name, kFlags);
    for (const sys::DirEntry& entry : sys::list_dir(files.get())) {
      struct stat st {};
      if (::fstatat(files.get(), entry.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0) {
        ++usage.files;
        usage.bytes += static_cast<std::uint64_t>(st.st_size);
      }
    }
  }
  return usage;
}

void PreImages::remove(std::int64_t apply) {
  sys::remove_tree(dir_.get(), std::to_string(apply));
}

}  // namespace shadow::store
