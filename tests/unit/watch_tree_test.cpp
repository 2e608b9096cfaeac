// SPDX-License-Identifier: MIT
#include "support/scratch.hpp"
#include "watch/tree_watch.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>

using shadow::test::make_dirs;
using shadow::test::Scratch;
using shadow::test::write_file;
using shadow::watch::TreeWatch;

namespace {

using Reach = TreeWatch::Reach;
using Names = std::set<std::string>;

// Watches at most that many of the directories below one named `part`.
class Watched {
 public:
  explicit Watched(std::size_t most) : watch_{TreeWatch::Heeds::Saves, most} {
    for (const char* dir : {"all/deep", "part/a/aa", "part/b/bb", "none/x"}) {
      make_dirs(scratch_ / dir);
    }
    REQUIRE(watch_.add_tree(scratch_.path(), [](const std::string& path) {
      return path.starts_with("none")   ? Reach::None
             : path.starts_with("part") ? Reach::Some
                                        : Reach::All;
    }));
  }

  [[nodiscard]] std::string operator/(const char* name) const { return scratch_ / name; }

  // Of these directories, those in which a new file is noticed.
  Names noticed(const std::vector<std::string>& dirs) {
    static int number = 0;
    const std::string name = "/new" + std::to_string(++number);
    for (const std::string& dir : dirs) {
      write_file(scratch_ / dir + name, "");
    }
    Names found;
    const TreeWatch::News news = watch_.read();
    CHECK(news.complete);
    for (const auto* names : {&news.names, &news.names_partly}) {
      for (const std::string& path : *names) {
        if (path.ends_with(name)) {
          found.insert(path.substr(0, path.size() - name.size()));
        }
      }
    }
    CHECK(news.changed == !found.empty());
    for (const auto& [path, whole] : news.touched) {
      CHECK(!path.starts_with("part"));
    }
    return found;
  }

  TreeWatch& watch() { return watch_; }

 private:
  Scratch scratch_;
  TreeWatch watch_;
};

const std::vector<std::string> kDirs = {"all",    "all/deep",  "none",   "none/x",   "part",
                                        "part/a", "part/a/aa", "part/b", "part/b/bb"};

}  // namespace

TEST_SUITE("watch/tree") {
  TEST_CASE("all but what is left out, and none of those that some are watched of") {
    CHECK(Watched{0}.noticed(kDirs) == Names{"all", "all/deep"});
  }

  TEST_CASE("the upper ones first") {
    CHECK(Watched{1}.noticed(kDirs) == Names{"all", "all/deep", "part"});
    CHECK(Watched{3}.noticed(kDirs) == Names{"all", "all/deep", "part", "part/a", "part/b"});
    CHECK(Watched{100}.noticed(kDirs).size() == kDirs.size() - 2);
  }

  TEST_CASE("one that goes leaves its place to one that comes") {
    Watched watched{3};
    std::filesystem::remove_all(watched / "part/a");
    (void)watched.watch().read();
    make_dirs(watched / "part/c/cc");
    (void)watched.watch().read();
    CHECK(watched.noticed({"part", "part/b", "part/c", "part/c/cc"}) ==
          Names{"part", "part/b", "part/c"});
  }

  TEST_CASE("one that is moved is watched by its new name") {
    Watched watched{100};
    std::filesystem::rename(watched / "part/a", watched / "part/z");
    (void)watched.watch().read();
    CHECK(watched.noticed({"part/z", "part/z/aa"}) == Names{"part/z", "part/z/aa"});
    std::filesystem::rename(watched / "part/z", watched / "all/z");
    (void)watched.watch().read();
    CHECK(watched.noticed({"all/z", "all/z/aa"}) == Names{"all/z", "all/z/aa"});
  }

  TEST_CASE("of two that are exchanged each is watched by its new name") {
    Watched watched{100};
    for (const std::string place : {"all", "part"}) {
      const std::string one = watched / (place + "/one").c_str();
      const std::string other = watched / (place + "/other").c_str();
      make_dirs(one + "/below");
      make_dirs(other);
      (void)watched.watch().read();
      REQUIRE(::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0);
      (void)watched.watch().read();
      const std::vector<std::string> now = {place + "/one", place + "/other",
                                            place + "/other/below"};
      CHECK(watched.noticed(now) == Names{now.begin(), now.end()});
    }
  }

  TEST_CASE("a scan for what changed before the watch looks at the others only") {
    Watched watched{100};
    write_file(watched / "all/f", "");
    write_file(watched / "part/f", "");
    CHECK(watched.watch().changed_since(0) == std::vector<std::string>{"all/f"});
    for (const std::string& name : watched.watch().names_since(0)) {
      CHECK(!name.starts_with("part/"));
    }
  }
}
