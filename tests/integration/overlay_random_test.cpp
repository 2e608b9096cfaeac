// SPDX-License-Identifier: MIT
// File operations by chance in a mounted view, of every kind that a command may do; then the scan,
// View, prune and drop against the mount.

#include "shadow/error.hpp"

#include "integration/mounted.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/write/prune.hpp"
#include "support/chance.hpp"
#include "support/expect.hpp"
#include "support/layers.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

namespace {

constexpr std::array<const char*, 6> kNames{"a", "b c", "new\nline", "\xff", "-d", ":,\\"};
constexpr std::array<const char*, 4> kTexts{"", "1", "2", "longer"};
constexpr std::array<mode_t, 5> kModes{0644, 0755, 0700, 0400, 0};

Tree random_lower(Chance& chance) {
  Tree tree;
  std::vector<std::string> dirs{""};
  std::vector<std::string> files;
  for (int made = 0; made < 40; ++made) {
    const std::string parent = chance.any(dirs);
    const std::string path = sys::join_path(parent, chance.any(kNames));
    if (tree.count(path) != 0) {
      continue;
    }
    if (!files.empty() && chance.one_in(6)) {
      tree[path] = hard(chance.any(files));
      continue;
    }
    switch (chance.below(6)) {
      case 0:
      case 1:
        tree[path] = dir(chance.one_in(4) ? chance.any(kModes) : 0755);
        dirs.push_back(path);
        break;
      case 2:
        tree[path] = link(chance.any(kNames));
        break;
      case 3:
        tree[path] = chance.one_in(2) ? fifo() : sock();
        break;
      default:
        tree[path] = file(chance.any(kTexts), chance.any(kModes));
        files.push_back(path);
        if (chance.one_in(4)) {
          tree[path] = tree[path].with("user.k", chance.any(kTexts));
        }
    }
  }
  return tree;
}

// One user of the view who does as chance says. Whatever fails (EXDEV, ENOTEMPTY, EISDIR) failed.
class Actor {
 public:
  Actor(Chance& chance, std::string root) : chance_{chance}, root_{std::move(root)} {}

  void act() {
    paths_.clear();
    dirs_ = {root_};
    collect(root_);
    const std::string path = any_path();
    const std::string fresh = chance_.any(dirs_) + '/' + chance_.any(kNames);
    if (chance_.one_in(2)) {
      content(path, fresh);
    } else if (chance_.one_in(2)) {
      names(path, fresh);
    } else {
      attributes(path);
    }
  }

 private:
  void collect(const std::string& at) {
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!fd) {
      return;
    }
    for (const sys::DirEntry& entry : sys::list_dir(fd.get())) {
      const std::string path = at + '/' + entry.name;
      paths_.push_back(path);
      if (entry.type == DT_DIR) {
        dirs_.push_back(path);
        collect(path);
      }
    }
  }

  std::string any_path() { return paths_.empty() ? root_ + "/a" : chance_.any(paths_); }

  void content(const std::string& path, const std::string& fresh) {
    switch (chance_.below(8)) {
      case 0:
        write(path, O_TRUNC);
        break;
      case 1:
        write(path, O_APPEND);
        break;
      case 2:
        write(fresh, O_CREAT | O_TRUNC);
        break;
      case 3: {  // as editors do
        const std::string temporary = path + "~";
        write(temporary, O_CREAT | O_TRUNC);
        result_ = ::rename(temporary.c_str(), path.c_str());
        break;
      }
      case 4: {  // sparse
        const sys::Fd fd = open(fresh, O_RDWR | O_CREAT);
        if (fd) {
          result_ = ::ftruncate(fd.get(), 200'000);
          result_ = static_cast<int>(::pwrite(fd.get(), "x", 1, 100'000));
        }
        break;
      }
      case 5:  // copied up, the same
        open(path, O_RDWR);
        break;
      case 6:  // deleted and made again
        sys::remove_tree(AT_FDCWD, path);
        result_ = ::mkdir(path.c_str(), 0755);
        write(path + "/a", O_CREAT | O_TRUNC);
        break;
      default:
        sys::remove_tree(AT_FDCWD, path);
        make_any(path);
    }
  }

  void names(const std::string& path, const std::string& fresh) {
    switch (chance_.below(7)) {
      case 0:
        result_ = ::unlink(path.c_str());
        break;
      case 1:
        sys::remove_tree(AT_FDCWD, path);
        break;
      case 2:
        result_ = ::rename(path.c_str(), fresh.c_str());
        break;
      case 3:
        result_ =
            ::renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, any_path().c_str(), RENAME_EXCHANGE);
        break;
      case 4:
        result_ = ::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, fresh.c_str(), 0);
        break;
      case 5:
        make_any(fresh);
        break;
      default:
        result_ = ::rmdir(path.c_str());
    }
  }

  void attributes(const std::string& path) {
    struct stat st {};
    switch (chance_.below(5)) {
      case 0:
        result_ = ::fchmodat(AT_FDCWD, path.c_str(), chance_.any(kModes), 0);
        break;
      case 1:  // copied up, the same
        if (::lstat(path.c_str(), &st) == 0 && !S_ISLNK(st.st_mode)) {
          result_ = ::chmod(path.c_str(), st.st_mode & 07777U);
        }
        break;
      case 2:
        result_ = ::lsetxattr(path.c_str(), "user.k", "new", 3, 0);
        break;
      case 3:
        result_ = ::lremovexattr(path.c_str(), "user.k");
        break;
      default:
        result_ = ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    }
  }

  void make_any(const std::string& path) {
    switch (chance_.below(5)) {
      case 0:
        result_ = ::mkdir(path.c_str(), chance_.any(kModes));
        break;
      case 1:
        result_ = ::symlink(chance_.any(kNames), path.c_str());
        break;
      case 2:
        result_ = ::mkfifo(path.c_str(), 0600);
        break;
      case 3:
        result_ = ::mknod(path.c_str(), S_IFSOCK | 0600, 0);
        break;
      default:
        write(path, O_CREAT | O_TRUNC);
    }
  }

  static sys::Fd open(const std::string& path, int flags) {
    return sys::try_open_at(AT_FDCWD, path, flags | O_NOFOLLOW | O_NONBLOCK, 0644);
  }

  void write(const std::string& path, int flags) {
    if (const sys::Fd fd = open(path, O_WRONLY | flags)) {
      const std::string text = chance_.any(kTexts);
      result_ = static_cast<int>(::write(fd.get(), text.data(), text.size()));
    }
  }

  Chance& chance_;
  std::string root_;
  std::vector<std::string> paths_;
  std::vector<std::string> dirs_;
  int result_ = 0;
};

overlay::View view_of(const Mounted& mounted) {
  return {mounted.upper_fd(), mounted.lower_fd()};
}

// A copy-up parts a file from the other names that the real tree has for it; without the copy they
// are one again.
Snapshot without_links_of(const Snapshot& lower, Snapshot view) {
  for (auto& [path, node] : view) {
    const auto real = lower.find(path);
    if (real != lower.end() && !real->second.links.empty()) {
      node.links.clear();
    }
  }
  return view;
}

void prune_all(Mounted& mounted, const Snapshot& lower) {
  const Snapshot before = without_links_of(lower, snapshot(mounted.view()));
  std::vector<std::string> paths;
  for (const overlay::UpperEntry& entry : overlay::list_upper(mounted.upper_fd())) {
    paths.push_back(entry.path);
  }
  mounted.unmount();
  overlay::prune(mounted.upper_fd(), mounted.lower_fd(), paths);
  mounted.mount();
  CHECK(differences(before, without_links_of(lower, snapshot(mounted.view()))) == "");
}

void drop_one(Chance& chance, Mounted& mounted, const Snapshot& lower) {
  const shadow::ChangeSet set = overlay::scan(mounted.upper_fd(), mounted.lower_fd());
  if (set.empty()) {
    return;
  }
  const std::string path = chance.any(set.changes).path;
  CAPTURE(path);
  const Snapshot before = snapshot(mounted.view());
  const auto expected = after_drop(before, lower, path);
  mounted.unmount();
  if (expected) {
    overlay::drop(mounted.upper_fd(), mounted.lower_fd(), path);
  } else {
    CHECK_THROWS_AS(overlay::drop(mounted.upper_fd(), mounted.lower_fd(), path), shadow::Error);
  }
  mounted.mount();
  const Snapshot after = snapshot(mounted.view());
  CHECK(differences(expected.value_or(before), after) == "");
  CHECK(complaints(overlay::scan(mounted.upper_fd(), mounted.lower_fd()), lower, after) == "");
}

}  // namespace

TEST_SUITE("overlay/random") {
  TEST_CASE("after any operations scan, view, prune and drop agree with the mount") {
    const std::uint64_t seed = first_seed();
    const std::size_t end = rounds(25);
    MESSAGE("SHADOW_TEST_SEED=" << seed);
    for (std::uint64_t round = 0; round < end; ++round) {
      const std::uint64_t this_seed = seed + round;
      CAPTURE(this_seed);
      Chance chance{this_seed};
      Mounted mounted{random_lower(chance)};
      const Snapshot lower = snapshot(mounted.lower());
      mounted.mount();
      Actor actor{chance, mounted.view()};
      for (std::size_t acts = 10 + chance.below(90); acts > 0; --acts) {
        actor.act();
      }
      const std::string live = mounted.scan();
      mounted.remount();
      const Snapshot view = snapshot(mounted.view());
      CHECK(differences(view, snapshot(view_of(mounted))) == "");
      CHECK(complaints(overlay::scan(mounted.upper_fd(), mounted.lower_fd()), lower, view) == "");
      CHECK(mounted.scan() == live);
      prune_all(mounted, lower);
      CHECK(mounted.scan() == live);
      for (int drops = 0; drops < 4; ++drops) {
        drop_one(chance, mounted, lower);
      }
      CHECK(differences(lower, snapshot(mounted.lower())) == "");
    }
  }
}
