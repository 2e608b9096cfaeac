// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "promote/repository/git_lock.hpp"
#include "promote/repository/git_ref_update.hpp"
#include "promote/repository/git_store.hpp"
#include "support/scratch.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using shadow::test::make_dirs;
using shadow::test::read_file;
using shadow::test::Scratch;
using shadow::test::write_file;
using namespace shadow::promote;  // NOLINT(google-build-using-namespace): what is tested

namespace {

const std::string one_id(40, '1');
const std::string two_id(40, '2');
const std::string three_id(40, '3');

// A git directory of nothing but refs, and a state beside it.
class Repository {
 public:
  Repository() {
    make_dirs(scratch_ / "git/refs/heads");
    make_dirs(scratch_ / "git/refs/tags");
    make_dirs(scratch_ / "git/objects");
    make_dirs(scratch_ / "state");
  }
  [[nodiscard]] std::string path(const std::string& name) const { return scratch_ / "git/" + name; }
  void write(const std::string& name, const std::string& text) const {
    write_file(path(name), text);
  }
  [[nodiscard]] std::string state() const { return scratch_ / "state"; }
  [[nodiscard]] GitPlace place() const { return {path(""), path("")}; }

  // "" when it was moved.
  [[nodiscard]] std::string move(const RefMove& what) const {
    const GitPlace at = place();
    LockBook book{state(), "/project"};
    std::string why;
    auto update = RefUpdate::begin(at, what, book, why);
    if (update) {
      update->commit(book);
    }
    return why;
  }
  [[nodiscard]] std::string value(const std::string& name) const {
    return read_ref(place(), name).value_or("none");
  }
  [[nodiscard]] bool has(const std::string& name) const {
    struct stat st {};
    return ::lstat(path(name).c_str(), &st) == 0;
  }

 private:
  Scratch scratch_;
};

}  // namespace

TEST_SUITE("promote/git refs") {
  TEST_CASE("a ref moves only from the value that it is known to have") {
    const Repository git;
    git.write("refs/heads/a", one_id + "\n");
    CHECK(git.move({"refs/heads/a", two_id, three_id}) == "it was moved meanwhile");
    CHECK(git.move({"refs/heads/a", "", three_id}) == "it was moved meanwhile");
    CHECK(git.value("refs/heads/a") == one_id);
    CHECK(git.move({"refs/heads/a", one_id, two_id}).empty());
    CHECK(read_file(git.path("refs/heads/a")) == two_id + "\n");
    CHECK(git.move({"refs/heads/new/deep", one_id, two_id}) == "it was moved meanwhile");
    CHECK(git.move({"refs/heads/new/deep", "", two_id}).empty());
    CHECK(git.value("refs/heads/new/deep") == two_id);
    CHECK_FALSE(git.has("refs/heads/a.lock"));
    CHECK_FALSE(git.has("refs/heads/new/deep.lock"));
  }

  TEST_CASE("packed refs count, and a loose one of the same name counts more") {
    const Repository git;
    git.write("packed-refs", "# pack-refs with: peeled fully-peeled sorted\n" + one_id +
                                 " refs/heads/a\n" + two_id + " refs/tags/t\n^" + three_id + "\n" +
                                 two_id + " refs/tags/u\n");
    CHECK(git.value("refs/heads/a") == one_id);
    CHECK(git.move({"refs/heads/a", "", two_id}) == "it was moved meanwhile");
    CHECK(git.move({"refs/heads/a", one_id, two_id}).empty());
    CHECK(git.value("refs/heads/a") == two_id);
    // Removed from both places, with the line of the peeled tag.
    CHECK(git.move({"refs/tags/t", two_id, ""}).empty());
    CHECK(git.value("refs/tags/t") == "none");
    CHECK(git.value("refs/tags/u") == two_id);
    CHECK(read_file(git.path("packed-refs")).find('^') == std::string::npos);
    CHECK_FALSE(git.has("packed-refs.lock"));
  }

  TEST_CASE("a file and a directory of refs cannot have one name") {
    const Repository git;
    git.write("refs/heads/a", one_id + "\n");
    git.write("packed-refs", one_id + " refs/heads/p/q\n");
    CHECK_FALSE(git.move({"refs/heads/a/b", "", two_id}).empty());
    CHECK(git.move({"refs/heads/p", "", two_id}) == "another ref's name is in the way");
    make_dirs(git.path("refs/heads/empty"));
    CHECK(git.move({"refs/heads/empty", "", two_id}).empty());
    make_dirs(git.path("refs/heads/full"));
    git.write("refs/heads/full/x", one_id + "\n");
    CHECK(git.move({"refs/heads/full", "", two_id}) == "another ref's name is in the way");
  }

  TEST_CASE("a lock that somebody else has is left") {
    const Repository git;
    git.write("refs/heads/a", one_id + "\n");
    git.write("refs/heads/a.lock", "");
    CHECK(git.move({"refs/heads/a", one_id, two_id}) == "git has it locked");
    CHECK(git.has("refs/heads/a.lock"));
    CHECK(git.value("refs/heads/a") == one_id);
  }

  TEST_CASE(
      "nothing is read or written through a symlink, and a symbolic ref is no branch to move") {
    const Repository git;
    make_dirs(git.path("elsewhere"));
    REQUIRE(::symlink("../../elsewhere", git.path("refs/heads/link").c_str()) == 0);
    CHECK_FALSE(git.move({"refs/heads/link/x", "", two_id}).empty());
    CHECK_FALSE(git.has("elsewhere/x"));
    git.write("target", one_id + "\n");
    REQUIRE(::symlink("../../target", git.path("refs/heads/file").c_str()) == 0);
    CHECK_FALSE(git.move({"refs/heads/file", one_id, two_id}).empty());
    CHECK(read_file(git.path("target")) == one_id + "\n");
    git.write("refs/heads/symbolic", "ref: refs/heads/other\n");
    CHECK_FALSE(git.move({"refs/heads/symbolic", "", two_id}).empty());
    CHECK_FALSE(git.move({"refs/heads/symbolic", one_id, two_id}).empty());
    REQUIRE(::mkfifo(git.path("refs/heads/pipe").c_str(), 0600) == 0);
    CHECK_FALSE(git.move({"refs/heads/pipe", "", two_id}).empty());
  }

  TEST_CASE("a lock of a process that died is known again, and only that") {
    const Repository git;
    const auto take_and_die = [&git] {
      const pid_t child = ::fork();
      if (child == 0) {
        const GitPlace place = git.place();
        auto book = std::make_unique<LockBook>(git.state(), "/project");
        auto lock = GitLock::take(place.common(), place.common_path(), "index", *book);
        ::_exit(lock ? 0 : 1);
      }
      return shadow::sys::wait_for(child);
    };
    REQUIRE(take_and_die() == 0);
    CHECK(git.has("index.lock"));
    CHECK(LockBook::is_open(git.state(), "/project"));
    LockBook::clean_up(git.state(), "/project");
    CHECK_FALSE(git.has("index.lock"));
    CHECK_FALSE(LockBook::is_open(git.state(), "/project"));

    REQUIRE(take_and_die() == 0);
    REQUIRE(::unlink(git.path("index.lock").c_str()) == 0);
    git.write("index.lock", "another's");
    LockBook::clean_up(git.state(), "/project");
    CHECK(read_file(git.path("index.lock")) == "another's");
  }

  TEST_CASE("logs get the line that git would write, where there are logs") {
    const Repository git;
    make_dirs(git.path("logs/refs/heads"));
    git.write("logs/HEAD", "");
    git.write("logs/refs/heads/a", "");
    log_ref(git.place(), {"refs/heads/a", one_id, two_id}, true, "A <a@b>", "shadow: apply");
    const std::string line = read_file(git.path("logs/refs/heads/a"));
    CHECK(line.rfind(one_id + " " + two_id + " A <a@b> ", 0) == 0);
    CHECK(line.find(" +0000\tshadow: apply\n") != std::string::npos);
    CHECK(read_file(git.path("logs/HEAD")) == line);
    log_ref(git.place(), {"refs/shadow/s/a", "", two_id}, false, "A <a@b>", "shadow: apply");
    CHECK_FALSE(git.has("logs/refs/shadow"));
  }
}

TEST_SUITE("promote/git store") {
  TEST_CASE("objects are added with git's mode, and what is there is not written again") {
    const Repository git;
    const Scratch staging;
    make_dirs(staging / "11");
    make_dirs(staging / "22");
    write_file(staging / "11/" + one_id.substr(2), "one");
    write_file(staging / "22/" + two_id.substr(2), "two");
    make_dirs(git.path("objects/22"));
    git.write("objects/22/" + two_id.substr(2), "the project's");
    const shadow::sys::Fd from = shadow::sys::open_path(staging.path(), O_RDONLY | O_DIRECTORY);
    const GitPlace place = git.place();
    add_objects(place.common(), from.get(), {one_id, two_id});
    CHECK(read_file(git.path("objects/11/" + one_id.substr(2))) == "one");
    CHECK(read_file(git.path("objects/22/" + two_id.substr(2))) == "the project's");
    struct stat st {};
    REQUIRE(::stat(git.path("objects/11/" + one_id.substr(2)).c_str(), &st) == 0);
    CHECK((st.st_mode & 07777) == 0444);
    CHECK_THROWS_AS(add_objects(place.common(), from.get(), {"../../x"}), shadow::Error);
  }

  TEST_CASE("a fan-out directory that is a symlink is not followed") {
    const Repository git;
    const Scratch staging;
    make_dirs(staging / "11");
    write_file(staging / "11/" + one_id.substr(2), "one");
    make_dirs(git.path("elsewhere"));
    REQUIRE(::symlink("../elsewhere", git.path("objects/11").c_str()) == 0);
    const shadow::sys::Fd from = shadow::sys::open_path(staging.path(), O_RDONLY | O_DIRECTORY);
    const GitPlace place = git.place();
    CHECK_THROWS_AS(add_objects(place.common(), from.get(), {one_id}), shadow::Error);
    CHECK_FALSE(git.has("elsewhere/" + one_id.substr(2)));
  }
}
