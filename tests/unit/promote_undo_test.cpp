// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "apply/promotion/moved_files.hpp"
#include "base/hash.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"
#include "store/tables/applies.hpp"
#include "support/promote_fixture.hpp"
#include "sys/files/file.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using shadow::Error;
using shadow::ExitCode;
using shadow::test::describe;
using shadow::test::Description;
using shadow::test::make_dir;
using shadow::test::make_fifo;
using shadow::test::make_symlink;
using shadow::test::plan_undo;
using shadow::test::Promotion;
using shadow::test::read;
using shadow::test::remove;
using shadow::test::set_xattr;
using shadow::test::write_file;

namespace {

void before(const std::string& root) {
  write_file(root, "changed", "old", 0640);
  set_xattr(root, "changed", "user.note", "old");
  write_file(root, "deleted\n", "old");
  write_file(root, "closed", "old", 0000);
  write_file(root, "moded", "same", 0644);
  make_symlink(root, "link", "old");
  make_dir(root, "dir", 0755);
  write_file(root, "dir/x", "old");
  write_file(root, "to-dir", "old");
  make_fifo(root, "fifo");
}

void after(const std::string& root) {
  write_file(root, "changed", "new", 0600);
  write_file(root, "moded", "same", 0755);
  write_file(root, "closed", "new");
  make_symlink(root, "link", "new");
  write_file(root, "dir", "now a file");
  write_file(root, "to-dir/y", "new");
  write_file(root, "made/z", "new");
}

// No further descriptor can be opened: open(2) gives EMFILE.
class UsedUpDescriptors {
 public:
  UsedUpDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &limit_);
    // Those of the project, the state and the database are open by now; `look` needs one at a time.
    rlimit few = limit_;
    few.rlim_cur = kFew;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int fd = ::open("/", O_PATH | O_CLOEXEC); fd >= 0; fd = ::open("/", O_PATH | O_CLOEXEC)) {
      held_.push_back(fd);
    }
  }
  UsedUpDescriptors(const UsedUpDescriptors&) = delete;
  UsedUpDescriptors(UsedUpDescriptors&&) = delete;
  UsedUpDescriptors& operator=(const UsedUpDescriptors&) = delete;
  UsedUpDescriptors& operator=(UsedUpDescriptors&&) = delete;
  ~UsedUpDescriptors() {
    for (const int fd : held_) {
      ::close(fd);
    }
    ::setrlimit(RLIMIT_NOFILE, &limit_);
  }

 private:
  static constexpr rlim_t kFew = 64;
  rlimit limit_{};
  std::vector<int> held_;
};

std::vector<std::string> paths(const std::vector<shadow::Kept>& kept) {
  std::vector<std::string> names;
  names.reserve(kept.size());
  for (const shadow::Kept& one : kept) {
    names.push_back(one.path);
  }
  return names;
}

}  // namespace

TEST_SUITE("promote/undo") {
  TEST_CASE("undo brings the tree back, undo of the undo brings the apply again") {
    Promotion project;
    before(project.real);
    after(project.wanted);
    const Description old = describe(project.real);
    const std::int64_t id = project.apply().id;
    const Description made = describe(project.real);
    CHECK(made == describe(project.wanted));

    shadow::UndoPlan undo = plan_undo(project.site(), std::nullopt);
    CHECK(undo.of.id == id);
    CHECK(undo.kept.empty());
    const std::int64_t undo_id = execute_undo(project.site(), undo).id;
    CHECK(describe(project.real) == old);
    CHECK_THROWS_AS((void)plan_undo(project.site(), std::nullopt), Error);

    undo = plan_undo(project.site(), undo_id);
    CHECK(undo.kept.empty());
    execute_undo(project.site(), undo);
    CHECK(describe(project.real) == made);
    CHECK(plan_undo(project.site(), std::nullopt).of.id == id);

    const std::vector<shadow::ApplyRecord> records = list_applies(project.site());
    REQUIRE(records.size() == 3);
    CHECK(records[0].is_undo);
    CHECK(records[0].undoes == undo_id);
    CHECK(records[1].undone);
    CHECK_FALSE(records[2].undone);
    CHECK(project.settled());
  }

  TEST_CASE("however often an apply is taken back and brought again, its state says which") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    std::int64_t last = project.apply().id;
    const std::int64_t first = last;
    for (int times = 1; times <= 6; ++times) {
      const shadow::UndoPlan undo = plan_undo(project.site(), last);
      last = execute_undo(project.site(), undo).id;
      const bool undone = times % 2 == 1;
      CAPTURE(times);
      CHECK(read(project.real, "f") == (undone ? "old" : "new"));
      CHECK(list_applies(project.site()).back().id == first);
      CHECK(list_applies(project.site()).back().undone == undone);
    }
  }

  TEST_CASE("a file that cannot be read is no file that somebody changed") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    project.apply();
    const UsedUpDescriptors none_left;
    CHECK_THROWS_AS((void)plan_undo(project.site(), std::nullopt), Error);
  }

  TEST_CASE("what somebody changed after the apply stays, the rest comes back") {
    Promotion project;
    before(project.real);
    after(project.wanted);
    project.apply();
    write_file(project.real, "changed", "mine", 0600);
    write_file(project.real, "deleted\n", "mine");
    write_file(project.real, "made/mine", "mine");
    remove(project.real, "link");
    const shadow::UndoPlan undo = plan_undo(project.site(), std::nullopt);
    CHECK(paths(undo.kept) == std::vector<std::string>{"link", "changed", "made", "deleted\n"});
    execute_undo(project.site(), undo);
    CHECK(read(project.real, "changed") == "mine");
    CHECK(read(project.real, "deleted\n") == "mine");
    CHECK(read(project.real, "made/mine") == "mine");
    CHECK(read(project.real, "dir/x") == "old");
    const Description now = describe(project.real);
    CHECK(now.count("made/z") == 0);
    CHECK(now.count("link") == 0);
    CHECK(project.settled());
  }

  TEST_CASE("a moved file whose old name is taken by now stays where it is") {
    Promotion project;
    for (const char* name : {"moved", "kept", "gone", "edited", "empty", "merged", "again"}) {
      write_file(project.real, name,
                 std::string{name} == "empty" ? "" : "1\n2\n3\ntext of " + std::string{name});
    }
    write_file(project.wanted, "dir/moved", "1\n2\n3\ntext of moved");
    write_file(project.wanted, "dir/kept", "1\n2\n3\ntext of kept");
    write_file(project.wanted, "dir/edited", "another text");
    write_file(project.wanted, "dir/empty", "");
    write_file(project.wanted, "dir/merged", "0\n1\n2\n3\ntext of merged");
    write_file(project.wanted, "dir/again", "1\n2\n3\ntext of again");
    for (const char* name : {"old/stays", "old/far", "place/near"}) {
      write_file(project.real, name, "1\n2\n3\ntext of " + std::string{name});
    }
    write_file(project.wanted, "old/stays", "1\n2\n3\ntext of old/stays");
    write_file(project.wanted, "dir/far", "1\n2\n3\ntext of old/far");
    write_file(project.wanted, "dir/near", "1\n2\n3\ntext of place/near");
    write_file(project.wanted, "place", "a file");
    project.apply();
    for (const char* name : {"moved", "gone", "edited", "empty", "merged"}) {
      write_file(project.real, name, "mine");
    }
    write_file(project.real, "again", "1\n2\n3\ntext of again");
    write_file(project.real, "place", "a file, edited");
    remove(project.real, "old/stays");
    remove(project.real, "old");
    const shadow::ApplySite site = project.site();
    const shadow::ApplyRecord of = choose_undo(site, std::nullopt, std::nullopt);
    const shadow::UndoPlan undo = plan_undo(site, of, [&](const std::set<std::string>& old_names) {
      return shadow::apply::find_moved(site, of.id, old_names);
    });
    const std::vector<std::string> kept = paths(undo.kept);
    CHECK(std::set<std::string>{kept.begin(), kept.end()} ==
          std::set<std::string>{"again", "dir", "dir/far", "dir/merged", "dir/moved", "dir/near",
                                "edited", "empty", "gone", "merged", "moved", "old/far", "place",
                                "place/near"});
    execute_undo(project.site(), undo);
    CHECK(read(project.real, "dir/moved") == "1\n2\n3\ntext of moved");
    CHECK(read(project.real, "moved") == "mine");
    CHECK(read(project.real, "dir/far") == "1\n2\n3\ntext of old/far");
    CHECK(read(project.real, "dir/near") == "1\n2\n3\ntext of place/near");
    CHECK(read(project.real, "kept") == "1\n2\n3\ntext of kept");
    const Description now = describe(project.real);
    CHECK(now.count("dir/again") == 0);
    CHECK(now.count("dir/edited") == 0);
    CHECK(now.count("dir/empty") == 0);
    CHECK(now.count("dir/kept") == 0);
    CHECK(project.settled());
  }

  TEST_CASE("a file that was written again with the same content still counts as the apply's") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    project.apply();
    remove(project.real, "f");
    write_file(project.real, "f", "new");
    CHECK(plan_undo(project.site(), std::nullopt).kept.empty());
  }

  TEST_CASE("an edit in place that keeps size and time is an edit") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    project.apply();
    const std::string path = project.real + "/f";
    struct stat st {};
    REQUIRE(::stat(path.c_str(), &st) == 0);
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(::write(file, "owN", 3) == 3);
    ::close(file);
    const timespec times[2] = {st.st_atim, st.st_mtim};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
    CHECK(paths(plan_undo(project.site(), std::nullopt).kept) == std::vector<std::string>{"f"});
  }

  TEST_CASE("a directory whose own parent is gone by now is not brought back") {
    Promotion project;
    write_file(project.real, "p/f", "old");
    make_dir(project.wanted, "p");
    project.apply();
    remove(project.real, "p");
    const shadow::UndoPlan undo = plan_undo(project.site(), std::nullopt);
    CHECK(undo.plan.steps.empty());
    CHECK(paths(undo.kept) == std::vector<std::string>{"p/f"});
  }

  TEST_CASE("forgotten applies cannot be undone and let go of their pre-images") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    project.apply();
    shadow::store::Database& db = project.site().database;
    CHECK(shadow::store::PreImages{project.state}.applies().size() == 1);
    CHECK(shadow::forget_applies_before(db, 0) == 0);
    CHECK(shadow::forget_applies_before(db, INT64_MAX) == 1);
    try {
      (void)plan_undo(project.site(), std::nullopt);
      FAIL("found");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::No);
    }
  }

  TEST_CASE("an earlier content that is gone, or was written to since, is not made up") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    const shadow::sys::Fd open_before =
        shadow::sys::open_path(project.real + "/f", O_WRONLY | O_APPEND);
    project.apply();
    SUBCASE("gone") {
      shadow::store::PreImages{project.state}.remove(1);
    }
    SUBCASE("written to by somebody who had it open") {
      shadow::sys::write_all(open_before.get(), "more");
    }
    CHECK(paths(plan_undo(project.site(), std::nullopt).kept) == std::vector<std::string>{"f"});
    CHECK(read(project.real, "f") == "new");
  }

  TEST_CASE("a file with another name is copied for undo, and its other name stays as it is") {
    Promotion project;
    write_file(project.real, "f", "old");
    const std::string other = project.state + "/other";
    REQUIRE(::link((project.real + "/f").c_str(), other.c_str()) == 0);
    write_file(project.wanted, "f", "new");
    project.apply();
    shadow::store::Blobs blobs{project.state};
    REQUIRE(blobs.list() == std::vector<std::string>{shadow::to_hex(shadow::hash_bytes("old"))});
    CHECK(shadow::store::PreImages{project.state}.applies().empty());
    CHECK(read(project.state, "other") == "old");
    SUBCASE("and brought back") {
      (void)execute_undo(project.site(), plan_undo(project.site(), std::nullopt));
      CHECK(read(project.real, "f") == "old");
    }
    SUBCASE("a damaged copy is not brought back") {
      const std::string name = blobs.list().front();
      write_file(project.state, "blobs/" + name.substr(0, 2) + "/" + name, "bad");
      CHECK_THROWS_AS(execute_undo(project.site(), plan_undo(project.site(), std::nullopt)), Error);
      CHECK(read(project.real, "f") == "new");
    }
  }

  TEST_CASE("a file that its mode keeps from being read is kept and comes back with its mode") {
    Promotion project;
    write_file(project.real, "f", "old");
    write_file(project.wanted, "f", "new");
    REQUIRE(::chmod((project.real + "/f").c_str(), 0) == 0);
    project.apply();
    (void)execute_undo(project.site(), plan_undo(project.site(), std::nullopt));
    struct stat st {};
    REQUIRE(::stat((project.real + "/f").c_str(), &st) == 0);
    CHECK((st.st_mode & 07777) == 0);
    REQUIRE(::chmod((project.real + "/f").c_str(), 0600) == 0);
    CHECK(read(project.real, "f") == "old");
  }
}
