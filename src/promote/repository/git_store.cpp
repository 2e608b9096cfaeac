// SPDX-License-Identifier: MIT
#include "promote/repository/git_store.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/git_names.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "promote/repository/git_lock.hpp"
#include "promote/repository/git_owner.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <cerrno>
#include <optional>
#include <set>
#include <string_view>

#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

// One syncfs(2) instead of an fsync(2) for each of more than these.
constexpr std::size_t kMostSynced = 64;
constexpr std::size_t kFanOut = 2;

class Store {
 public:
  Store(int git_dir, int staging, bool many)
      : objects_{sys::open_beneath(git_dir, "objects", O_RDONLY | O_DIRECTORY)},
        staging_{staging},
        many_{many} {
    mode_ = overlay::look_fd(objects_.get()).mode;
  }

  ~Store() {
    for (const Waiting& object : waiting_) {
      ::unlinkat(objects_.get(), object.temporary.c_str(), 0);
    }
  }
  Store(const Store&) = delete;
  Store(Store&&) = delete;
  Store& operator=(const Store&) = delete;
  Store& operator=(Store&&) = delete;

  void copy(const std::string& path) {
    if (overlay::look_beneath(objects_.get(), path).exists()) {
      return;
    }
    const sys::Fd from = sys::open_beneath(staging_, path, O_RDONLY | O_NONBLOCK);
    const std::string name = kTemporaryObject + std::to_string(::getpid()) + "_" +
                             std::to_string(waiting_.size()) + "_" +
                             std::to_string(sys::monotonic_ns());
    const sys::Fd to = sys::open_at(objects_.get(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                                    S_IRUSR | S_IWUSR);
    waiting_.push_back({path, name});
    sys::copy_contents(from.get(), to.get());
    constexpr mode_t kReadable = 0444;
    if (::fchmod(to.get(), mode_ & kReadable) != 0) {
      throw_errno("write an object");
    }
    own_as(objects_.get(), to.get());
    if (!many_ && ::fsync(to.get()) != 0) {
      throw_errno("write an object");
    }
    SHADOW_FAIL_POINT("git-object-written");
  }

  void put_in_place() {
    sync_if_many();
    for (Waiting& object : waiting_) {
      put(object);
      SHADOW_FAIL_POINT("git-object-placed");
    }
    waiting_.clear();
    sync_if_many();
    for (const std::string& fan : many_ ? std::set<std::string>{} : fans_) {
      const sys::Fd dir = sys::open_beneath(objects_.get(), fan, O_RDONLY | O_DIRECTORY);
      sync(dir.get());
    }
    sync(objects_.get());
  }

 private:
  struct Waiting {
    std::string path;
    std::string temporary;
  };

  static void sync(int fd) {
    if (::fsync(fd) != 0) {
      throw_errno("sync the objects to disk");
    }
  }

  void sync_if_many() {
    if (many_ && ::syncfs(objects_.get()) != 0) {
      throw_errno("sync the objects to disk");
    }
  }

  void put(const Waiting& object) {
    const auto [parent, name] = sys::split_path(object.path);
    const std::string fan{parent};
    if (fans_.insert(fan).second && ::mkdirat(objects_.get(), fan.c_str(), S_IRWXU) == 0) {
      const sys::Fd made = sys::open_beneath(objects_.get(), fan, O_RDONLY | O_DIRECTORY);
      if (::fchmod(made.get(), mode_) != 0) {
        throw_errno("make a directory of objects");
      }
      own_as(objects_.get(), made.get());
    }
    const sys::Fd dir = sys::open_beneath(objects_.get(), fan, O_PATH | O_DIRECTORY);
    const std::string file{name};
    if (::renameat2(objects_.get(), object.temporary.c_str(), dir.get(), file.c_str(),
                    RENAME_NOREPLACE) == 0) {
      return;
    }
    if (errno == EINVAL || errno == ENOSYS) {
      // A filesystem without that flag. Whoever wrote it meanwhile wrote the same object.
      if (::renameat(objects_.get(), object.temporary.c_str(), dir.get(), file.c_str()) == 0) {
        return;
      }
    }
    if (errno != EEXIST) {
      throw_errno("write an object");
    }
    ::unlinkat(objects_.get(), object.temporary.c_str(), 0);
  }

  sys::Fd objects_;
  int staging_;
  bool many_;
  mode_t mode_ = S_IRWXU;
  std::vector<Waiting> waiting_;
  std::set<std::string> fans_;
};

std::optional<std::string> pack_path(const std::string& name) {
  constexpr std::string_view kPack = "pack-";
  const bool pack =
      name.starts_with(kPack) && git::is_object_id(std::string_view{name}.substr(kPack.size()));
  return pack ? std::optional{"pack/" + name} : std::nullopt;
}

}  // namespace

void add_objects(int git_dir, int staging, const std::vector<std::string>& names) {
  if (names.empty()) {
    return;
  }
  Store store{git_dir, staging, names.size() > kMostSynced};
  for (const std::string& name : names) {
    if (const auto pack = pack_path(name)) {
      // A pack is there with its index, which goes last.
      store.copy(*pack + ".pack");
      store.copy(*pack + ".idx");
    } else if (git::is_object_id(name)) {
      store.copy(name.substr(0, kFanOut) + "/" + name.substr(kFanOut));
    } else {
      throw Error{"cannot write an object: it has no name"};
    }
  }
  store.put_in_place();
}

}  // namespace shadow::promote
