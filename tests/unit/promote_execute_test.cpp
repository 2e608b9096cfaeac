// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "support/promote_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using shadow::Action;
using shadow::Error;
using shadow::ExitCode;
using shadow::StaleError;
using shadow::Step;
using shadow::SysError;
using shadow::test::describe;
using shadow::test::Description;
using shadow::test::make_dir;
using shadow::test::make_fifo;
using shadow::test::make_hard_link;
using shadow::test::make_socket;
using shadow::test::make_symlink;
using shadow::test::Promotion;
using shadow::test::read;
using shadow::test::remove;
using shadow::test::Scratch;
using shadow::test::set_mode;
using shadow::test::set_xattr;
using shadow::test::write_file;
using namespace std::string_literals;

namespace {

// Both trees start as this one.
void fill(const std::string& root) {
  write_file(root, "keep", "same");
  write_file(root, "a b", "old");
  write_file(root, "new\nline", "old");
  write_file(root, "\xff", "old", 0600);
  write_file(root, "-dash/:,\\", "old");
  write_file(root, "script", "old", 0755);
  make_symlink(root, "link", "a b");
  make_symlink(root, "dangling", "/no/where");
  make_dir(root, "empty");
  write_file(root, "tree/deep/er/file", "old");
  write_file(root, "tree/deep/other", "old");
  write_file(root, "locked/in/file", "old", 0444);
}

// Every kind of change at once.
void change(const std::string& root) {
  write_file(root, "a b", "new");
  set_xattr(root, "a b", "user.note", "x");
  remove(root, "new\nline");
  set_mode(root, "\xff", 0400);
  write_file(root, "-dash/:,\\", "new");
  remove(root, "script");
  make_dir(root, "script");
  write_file(root, "script/main", "new", 0700);
  remove(root, "link");
  make_symlink(root, "link", "keep");
  remove(root, "dangling");
  make_fifo(root, "dangling");
  remove(root, "empty");
  make_socket(root, "empty");
  remove(root, "tree");
  write_file(root, "tree", "now a file");
  write_file(root, "locked/in/file", "new", 0444);
  write_file(root, "locked/in/more", "new", 0400);
  write_file(root, "made/x", "new");
  make_dir(root, "made/closed", 0555);
  make_hard_link(root, "made/x", "made/y");
  set_mode(root, "made", 0500);
}

}  // namespace

TEST_SUITE("promote/execute") {
  TEST_CASE("every kind of change arrives, and the session's tree stays as it is") {
    Promotion project;
    fill(project.real);
    fill(project.wanted);
    change(project.wanted);
    for (const std::string& root : {project.real, project.wanted}) {
      set_mode(root, "locked/in", 0555);
    }
    const Description wanted = describe(project.wanted);
    const shadow::ApplyResult result = project.apply();
    CHECK(describe(project.real) == wanted);
    CHECK(describe(project.wanted) == wanted);
    CHECK(result.id > 0);
    CHECK(result.unfinished.empty());
    CHECK(project.settled());
    CHECK(project.plan().steps.empty());
    struct stat x {};
    struct stat y {};
    REQUIRE(::lstat((project.real + "/made/x").c_str(), &x) == 0);
    REQUIRE(::lstat((project.real + "/made/y").c_str(), &y) == 0);
    CHECK(x.st_ino == y.st_ino);
    for (const std::string& root : {project.real, project.wanted}) {
      set_mode(root, "made", 0700);
    }
  }

  TEST_CASE("what is recorded tells what each path is now, and the result names it") {
    Promotion project;
    write_file(project.real, "gone", "old");
    write_file(project.real, "turned", "a file");
    write_file(project.wanted, "new", "content");
    write_file(project.wanted, "turned/in", "a directory");
    std::vector<std::string> recorded;
    const shadow::ApplyResult result =
        project.apply(project.plan(), [&](std::int64_t apply, const shadow::EachApplied& each) {
          CHECK(apply > 0);
          each([&](const shadow::AppliedEntry& path) {
            recorded.push_back(path.path);
            struct stat now {};
            const bool there = ::lstat((project.real + "/" + path.path).c_str(), &now) == 0;
            CHECK(path.now.exists() == there);
            CHECK(path.now.ino == (there ? now.st_ino : 0));
            CHECK(path.before.exists() == (path.path == "gone" || path.path == "turned"));
            CHECK(path.hash == (path.path == "new" ? shadow::to_hex(shadow::hash_bytes("content"))
                                : path.path == "turned/in"
                                    ? shadow::to_hex(shadow::hash_bytes("a directory"))
                                    : ""));
          });
        });
    const std::vector<std::string> all{"gone", "new", "turned", "turned/in"};
    CHECK(recorded == all);
    REQUIRE(result.paths.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(result.paths[i].path == all[i]);
    }
  }

  TEST_CASE("setuid and setgid stay behind, overlayfs' own attributes too") {
    Promotion project;
    write_file(project.wanted, "tool", "x", 06755);
    set_xattr(project.wanted, "tool", "user.overlay.opaque", "y");
    write_file(project.real, "own", "x", 0755);
    write_file(project.wanted, "own", "x", 04711);
    project.apply();
    struct stat st {};
    REQUIRE(::lstat((project.real + "/tool").c_str(), &st) == 0);
    CHECK((st.st_mode & 07777) == 0755);
    REQUIRE(::lstat((project.real + "/own").c_str(), &st) == 0);
    CHECK((st.st_mode & 07777) == 0711);
    CHECK(::getxattr((project.real + "/tool").c_str(), "user.overlay.opaque", nullptr, 0) < 0);
  }

  TEST_CASE("a path longer than PATH_MAX arrives") {
    Promotion project;
    std::string deep;
    for (int level = 0; level < 60; ++level) {
      deep += std::string(100, static_cast<char>('a' + level % 26)) + '/';
    }
    write_file(project.wanted, deep + "file", "deep");
    project.apply();
    CHECK(read(project.real, deep + "file") == "deep");
    CHECK(describe(project.real) == describe(project.wanted));
  }

  TEST_CASE("a symlink in the way of a path is not followed and nothing is written") {
    Promotion project;
    const Scratch outside;
    write_file(project.real, "d/f", "old");
    write_file(project.wanted, "d/f", "new");
    write_file(project.wanted, "other", "new");
    shadow::ApplyPlan plan = project.plan();
    SUBCASE("planted before") {
      remove(project.real, "d");
      make_symlink(project.real, "d", outside.path());
      CHECK_THROWS_AS(project.apply(plan), Error);
    }
    SUBCASE("in a plan that believes the file to be new") {
      remove(project.real, "d");
      make_symlink(project.real, "d", outside.path());
      for (Step& step : plan.steps) {
        step.before = {};
      }
      CHECK_THROWS_AS(project.apply(plan), SysError);
    }
    SUBCASE("with '..'") {
      plan.steps[0].path = "../escaped";
      plan.steps[0].before = {};
      CHECK_THROWS_AS(project.apply(plan), Error);
    }
    CHECK(describe(outside.path()).empty());
    CHECK(describe(project.real).count("other") == 0);
    CHECK(project.settled());
  }

  TEST_CASE("a path that changed since the plan stops all of it, by name") {
    Promotion project;
    fill(project.real);
    fill(project.wanted);
    change(project.wanted);
    set_mode(project.wanted, "made", 0700);
    const shadow::ApplyPlan plan = project.plan();
    std::vector<std::string> conflicts;
    SUBCASE("written") {
      write_file(project.real, "a b", "mine");
      conflicts = {"a b"};
    }
    SUBCASE("deleted") {
      remove(project.real, "link");
      conflicts = {"link"};
    }
    SUBCASE("a directory that should go has a new file") {
      write_file(project.real, "tree/deep/mine", "mine");
      conflicts = {"tree/deep"};
    }
    SUBCASE("something is where a new one should be") {
      write_file(project.real, "made", "mine");
      conflicts = {"made"};
    }
    const Description before = describe(project.real);
    try {
      project.apply(plan);
      FAIL("applied");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::Conflict);
      CHECK(error.paths() == conflicts);
    }
    CHECK(describe(project.real) == before);
    CHECK(project.settled());
  }

  TEST_CASE("what changed in the session after the review is not written") {
    Promotion project;
    write_file(project.wanted, "f", "reviewed");
    const shadow::ApplyPlan plan = project.plan();
    write_file(project.wanted, "f", "something else");
    CHECK_THROWS_AS(project.apply(plan), StaleError);
    SUBCASE("also not when it is a FIFO by then") {
      remove(project.wanted, "f");
      make_fifo(project.wanted, "f");
      CHECK_THROWS_AS(project.apply(plan), StaleError);
    }
    CHECK(describe(project.real).empty());
    CHECK(project.settled());
  }

  TEST_CASE("a failure in the middle takes back what was written before it") {
    Promotion project;
    fill(project.real);
    fill(project.wanted);
    change(project.wanted);
    set_mode(project.wanted, "made", 0700);
    shadow::ApplyPlan plan = project.plan();
    const Description before = describe(project.real);
    Step last;
    last.path = "no/such/directory";
    last.after.kind = shadow::EntryKind::File;
    last.bytes = std::string{"x"};
    plan.steps.push_back(last);
    CHECK_THROWS_AS(project.apply(plan), SysError);
    CHECK(describe(project.real) == before);
    CHECK(project.settled());
  }

  TEST_CASE("merged text is written with the attributes of the session's file") {
    Promotion project;
    write_file(project.real, "f", "old", 0600);
    write_file(project.wanted, "f", "new", 0750);
    shadow::ApplyPlan plan = project.plan();
    plan.steps[0].bytes = "merged\0text"s;
    project.apply(plan);
    CHECK(read(project.real, "f") == "merged\0text"s);
    set_mode(project.real, "f", 0750);
    CHECK(describe(project.real).at("f") == "file 488 merged\0text"s);
  }

  TEST_CASE("a hard link to a file whose change is left out becomes a file of its own") {
    Promotion project;
    write_file(project.real, "a", "old");
    write_file(project.wanted, "a", "new");
    make_hard_link(project.wanted, "a", "b");
    shadow::ApplyPlan plan = project.plan();
    plan.steps.erase(plan.steps.begin());
    REQUIRE(plan.steps[0].action == Action::HardLink);
    project.apply(plan);
    CHECK(read(project.real, "a") == "old");
    CHECK(read(project.real, "b") == "new");
  }

  TEST_CASE("the time is now, or the session's when asked") {
    Promotion project;
    write_file(project.wanted, "f", "new");
    const timespec long_ago{1000, 7};
    const timespec times[2] = {long_ago, long_ago};
    REQUIRE(::utimensat(AT_FDCWD, (project.wanted + "/f").c_str(), times, 0) == 0);
    shadow::ApplyRequest request;
    const shadow::sys::Fd upper = shadow::sys::open_path(project.wanted, O_RDONLY | O_DIRECTORY);
    request.upper = upper.get();
    SUBCASE("now") {
    }
    SUBCASE("kept") {
      request.keep_mtime = true;
    }
    shadow::execute(project.site(), project.plan(), request);
    struct stat st {};
    REQUIRE(::lstat((project.real + "/f").c_str(), &st) == 0);
    CHECK((st.st_mtim.tv_sec == 1000) == request.keep_mtime);
  }

  // The last one: an ordinary user's process goes into a user namespace of its own for it.
  TEST_CASE("a file that its mode keeps even its owner from reading arrives") {
    Promotion project;
    write_file(project.wanted, "f", "new", 0000);
    const shadow::ApplyPlan plan = project.plan();
    project.apply(plan);
    CHECK(describe(project.real) == describe(project.wanted));
    CHECK(project.settled());
  }
}
