// SPDX-License-Identifier: MIT
// Trees deeper than any stack and any table of open files.

#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "overlay/read/walk.hpp"
#include "overlay/write/prune.hpp"
#include "support/layers.hpp"
#include "sys/files/dir.hpp"

#include <doctest/doctest.h>

#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

namespace {

void make_at(int dirfd, const std::string& name) {
  REQUIRE(::mkdirat(dirfd, name.c_str(), 0755) == 0);
}

// "m/m/m/...", in each level also the directories "a" and "z", in the last one the file "end".
void make_chain(int root, int depth, bool siblings) {
  sys::Fd at = sys::duplicate(root);
  for (int level = 0; level < depth; ++level) {
    if (siblings) {
      make_at(at.get(), "a");
      make_at(at.get(), "z");
    }
    make_at(at.get(), "m");
    at = sys::open_at(at.get(), "m", O_PATH | O_DIRECTORY);
  }
  REQUIRE(sys::open_at(at.get(), "end", O_WRONLY | O_CREAT, 0644));
}

std::string chain_path(int depth) {
  std::string path;
  for (int level = 0; level < depth; ++level) {
    path += "m/";
  }
  return path + "end";
}

// The smallest limit that systems give.
class FewDescriptors {
 public:
  FewDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 256;
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors(FewDescriptors&&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  FewDescriptors& operator=(FewDescriptors&&) = delete;
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_SUITE("overlay/deep") {
  TEST_CASE("trees of 20 000 levels are scanned, dropped and removed") {
    const FewDescriptors few;
    constexpr int kDepth = 20'000;
    const Layers layers{{}, {}};
    make_chain(layers.upper(), kDepth, false);
    make_chain(layers.lower(), kDepth, false);
    CHECK(layers.scan().empty());
    const std::string end = chain_path(kDepth);
    overlay::drop(layers.upper(), layers.lower(), end);
    CHECK(layers.scan().empty());
    CHECK(overlay::list_upper(layers.upper()).empty());
    overlay::mask(layers.upper(), layers.lower(), end);
    const shadow::ChangeSet set = overlay::scan(layers.upper(), layers.lower());
    CHECK(set.changes.empty());
    CHECK(set.too_deep.names == 1);
    sys::remove_tree(layers.upper(), "m");
    sys::remove_tree(layers.lower(), "m");
    CHECK(snapshot(layers.upper_path()).empty());
    CHECK(snapshot(layers.lower_path()).empty());
  }

  TEST_CASE("a walk comes back to levels that it had to close") {
    const FewDescriptors few;
    constexpr int kDepth = 2'000;
    const Layers layers{{}, {}};
    make_chain(layers.upper(), kDepth, true);
    CHECK(overlay::list_upper(layers.upper()).size() == kDepth * 3 + 1);
    CHECK(overlay::scan(layers.upper(), layers.lower()).changes.size() == kDepth * 3 + 1);
    make_chain(layers.lower(), kDepth, true);
    CHECK(layers.scan().empty());
    sys::remove_tree(layers.upper(), "m");
    overlay::mask(layers.upper(), layers.lower(), "m");
    CHECK(overlay::scan(layers.upper(), layers.lower()).changes.size() == kDepth * 3 - 1);
  }

  TEST_CASE("what is deeper than a path can say is told once") {
    const Layers layers{{}, {}};
    sys::Fd at = sys::duplicate(layers.upper());
    const std::string name(255, 'n');
    std::string path;
    for (int level = 0; level < 40; ++level) {
      make_at(at.get(), name);
      at = sys::open_at(at.get(), name, O_PATH | O_DIRECTORY);
      path += (level == 0 ? "" : "/") + name;
    }
    const shadow::ChangeSet set = overlay::scan(layers.upper(), layers.lower());
    constexpr std::size_t kLongest = 4095;  // 16 names of 255 bytes, and what parts them
    REQUIRE(set.changes.size() == 16);
    CHECK(set.changes.back().path == path.substr(0, kLongest));
    CHECK(set.too_deep.names == 1);
    CHECK(set.too_deep.first == set.changes.back().path);
    CHECK(overlay::list_upper(layers.upper()).size() == 16);
    CHECK(layers.view().look(path).kind == shadow::EntryKind::Directory);
    overlay::drop(layers.upper(), layers.lower(), path);
    CHECK(layers.view().look(path).kind == shadow::EntryKind::Absent);
    overlay::drop(layers.upper(), layers.lower(), name);
    CHECK(layers.scan().empty());
  }

  TEST_CASE("what is too deep is not deleted unlisted") {
    const Layers layers{{}, {}};
    make_chain(layers.lower(), 3'000, false);
    overlay::mask(layers.upper(), layers.lower(), "m");
    CHECK_THROWS_WITH_AS((void)overlay::scan(layers.upper(), layers.lower()),
                         doctest::Contains("nested too deeply"), shadow::Error);
  }
}
