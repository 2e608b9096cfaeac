// SPDX-License-Identifier: MIT
#include "git/commits/branch_work.hpp"
#include "git/repository/git_refs.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using shadow::BranchWork;
using shadow::test::make_dirs;
using shadow::test::Outcome;
using shadow::test::read_file;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;
using State = shadow::BranchWork::State;

namespace {

// A real repository with three commits on "main", and a view that began as its copy. The upper's
// objects are the view's: what the real one has as well does no harm there.
class Repositories {
 public:
  Repositories() {
    make_dirs(scratch_ / "real");
    git("real", {"init", "-q", "-b", "main"});
    for (const char* name : {"one", "two", "three"}) {
      commit("real", name);
    }
    REQUIRE(run({"cp", "-a", "real", "view"}, scratch_.path()).status == 0);
  }

  void git(const std::string& where, const std::vector<std::string>& words) {
    std::vector<std::string> argv{"git", "-c", "user.name=A U Thor", "-c", "user.email=a@b.c"};
    argv.insert(argv.end(), words.begin(), words.end());
    const Outcome outcome = run(argv, scratch_ / where);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
  }
  void commit(const std::string& where, const std::string& subject) {
    git(where, {"commit", "-q", "--allow-empty", "-m", subject});
  }
  [[nodiscard]] std::string view(const std::string& name) const {
    return scratch_ / "view/.git/" + name;
  }
  [[nodiscard]] std::string real() const { return scratch_ / "real/.git"; }
  [[nodiscard]] std::string tip() const {
    const std::string id = read_file(view("refs/heads/main"));
    return id.substr(0, id.size() - 1);
  }
  [[nodiscard]] std::vector<BranchWork> work(std::size_t most = 10) const {
    return shadow::git::branch_work(
        {shadow::git::disk_reader(scratch_ / "view/.git"), view("objects"), real()}, most);
  }

 private:
  Scratch scratch_;
};

// A pack of two objects, each a delta of the other, with its index. Found in it, libgit2 would
// follow the deltas for ever.
struct Ring {
  std::string pack;
  std::string index;
};

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    bytes += static_cast<char>((value >> (shift - 8)) & 0xFFU);
  }
  return bytes;
}

Ring make_ring(const std::string& first_id, const std::string& second_id) {
  Ring ring;
  const std::string zeros(20, '\0');
  // A delta of five bytes as a stored block: zlib header, block header, length and its complement.
  const std::string delta{'\x01', '\x01', '\x90', '\x01', '\0'};
  const std::string stored = std::string{'\x78', '\x01', '\x01', '\x05', '\0', '\xfa', '\xff'} +
                             delta + big_endian(0x0145'0094);
  ring.pack = "PACK" + big_endian(2) + big_endian(2);
  const auto first_at = static_cast<std::uint32_t>(ring.pack.size());
  ring.pack += '\x75' + second_id + stored;  // type 7: delta by the base's name; size 5
  const auto second_at = static_cast<std::uint32_t>(ring.pack.size());
  ring.pack += '\x75' + first_id + stored + zeros;

  ring.index = "\xfftOc" + big_endian(2);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto upto = [&](const std::string& id) {
      return static_cast<unsigned char>(id[0]) <= byte ? 1U : 0U;
    };
    ring.index += big_endian(upto(first_id) + upto(second_id));
  }
  ring.index += first_id + second_id + big_endian(0) + big_endian(0) + big_endian(first_at) +
                big_endian(second_at) + zeros + zeros;
  return ring;
}

}  // namespace

TEST_SUITE("git/commits") {
  TEST_CASE("nothing is said of branches that are the same") {
    CHECK(Repositories{}.work().empty());
  }

  TEST_CASE("commits on a branch are listed newest first, and counted up to a bound") {
    Repositories pair;
    pair.commit("view", "four");
    pair.commit("view", "five \x1b[31m\xff");
    const auto work = pair.work();
    REQUIRE(work.size() == 1);
    CHECK(work[0].branch == "main");
    CHECK(work[0].state == State::Ahead);
    CHECK(work[0].view_id == pair.tip());
    REQUIRE(work[0].commits.size() == 2);
    CHECK(work[0].commits[0].author == "A U Thor <a@b.c>");
    CHECK(work[0].commits[1].subject == "four");
    CHECK_FALSE(work[0].more);
    const auto bounded = pair.work(1);
    CHECK(bounded[0].commits.size() == 1);
    CHECK(bounded[0].more);
  }

  TEST_CASE("packed objects and refs are read like loose ones") {
    Repositories pair;
    pair.commit("view", "four");
    pair.git("view", {"branch", "other", "HEAD~2"});
    pair.git("view", {"gc", "-q"});
    const auto work = pair.work();
    REQUIRE(work.size() == 2);
    CHECK(work[0].state == State::Ahead);
    CHECK(work[0].commits.size() == 1);
    CHECK(work[1].branch == "other");
    CHECK(work[1].state == State::New);
    CHECK(work[1].commits.empty());
  }

  TEST_CASE("an amended branch has diverged, a removed one is deleted, a detached head is named") {
    Repositories pair;
    pair.git("real", {"branch", "gone"});
    pair.git("view", {"commit", "-q", "--amend", "--allow-empty", "-m", "other three"});
    auto work = pair.work();
    REQUIRE(work.size() == 2);
    CHECK(work[0].branch == "gone");
    CHECK(work[0].state == State::Deleted);
    CHECK(work[1].state == State::Diverged);
    CHECK(work[1].commits.size() == 1);

    pair.git("view", {"checkout", "-q", "--detach"});
    pair.commit("view", "on nothing");
    work = pair.work();
    REQUIRE(work.size() == 3);
    CHECK(work[0].branch == "HEAD");
    CHECK(work[0].state == State::Diverged);
    CHECK(work[0].commits.size() == 2);
  }

  TEST_CASE("a branch of the view is compared with all that the project has, in both directions") {
    Repositories pair;
    pair.commit("real", "the user's own");
    auto work = pair.work();
    REQUIRE(work.size() == 1);
    CHECK(work[0].state == State::Diverged);
    CHECK(work[0].commits.empty());
  }

  TEST_CASE("a shallow project's history ends where it was cut") {
    Repositories pair;
    const Scratch scratch;
    REQUIRE(
        run({"git", "clone", "-q", "--depth=1", "file://" + pair.real(), "real"}, scratch.path())
            .status == 0);
    REQUIRE(run({"cp", "-a", "real", "view"}, scratch.path()).status == 0);
    REQUIRE(run({"git", "-c", "user.name=A", "-c", "user.email=a", "commit", "-q", "--allow-empty",
                 "--amend", "-m", "x"},
                scratch / "view")
                .status == 0);
    const auto work =
        shadow::git::branch_work({shadow::git::disk_reader(scratch / "view/.git"),
                                  scratch / "view/.git/objects", scratch / "real/.git"},
                                 10);
    REQUIRE(work.size() == 1);
    CHECK(work[0].commits.size() == 1);
  }

  TEST_CASE("a view without a repository has no work, one without a real counterpart is all new") {
    const Repositories pair;
    CHECK(shadow::git::branch_work(
              {shadow::git::disk_reader("/nonexistent"), "/nonexistent", pair.real()}, 10)
              .empty());
    const auto work = shadow::git::branch_work(
        {shadow::git::disk_reader(pair.view("")), pair.view("objects"), "/nonexistent"}, 10);
    REQUIRE(work.size() == 1);
    CHECK(work[0].state == State::New);
    CHECK(work[0].commits.size() == 3);
  }
}

TEST_SUITE("git/commits: hostile") {
  TEST_CASE("refs that are no refs are unreadable or passed over") {
    for (const char* text : {"", "garbage", "ref: refs/heads/main\n", "ref: ../../etc/passwd",
                             "0000000000000000000000000000000000000000\n",
                             "ffffffffffffffffffffffffffffffffffffffff\n"}) {
      CAPTURE(text);
      Repositories pair;
      write_file(pair.view("refs/heads/main"), text);
      const auto work = pair.work();
      REQUIRE(work.size() == 1);
      CHECK(work[0].state == State::Unreadable);
      CHECK(work[0].commits.empty());
    }
    Repositories pair;
    write_file(pair.view("refs/heads/main.lock"), pair.tip());
    write_file(pair.view("refs/heads/new\nline"), pair.tip());
    CHECK(pair.work().empty());
    write_file(pair.view("HEAD"), "\xff\xff");
    REQUIRE(pair.work().size() == 1);
    CHECK(pair.work()[0].branch == "HEAD");
    CHECK(pair.work()[0].state == State::Unreadable);
  }

  TEST_CASE("a packed-refs file that cannot be read does not pass for deleted branches") {
    Repositories pair;
    pair.git("real", {"branch", "packed"});
    write_file(pair.view("packed-refs"), "nonsense\n");
    const auto work = pair.work();
    REQUIRE(work.size() == 1);
    CHECK(work[0].state == State::Unreadable);
  }

  TEST_CASE("damaged and missing objects make the branch unreadable") {
    for (const char* bytes : {"", "garbage"}) {
      Repositories pair;
      pair.commit("view", "four");
      pair.commit("view", "five");
      std::string id = pair.tip();
      const std::string object = pair.view("objects/") + id.insert(2, "/");
      ::unlink(object.c_str());
      write_file(object, bytes);
      const auto work = pair.work();
      REQUIRE(work.size() == 1);
      CHECK(work[0].state == State::Unreadable);
    }
  }

  TEST_CASE("an object under another's name is not taken for it") {
    Repositories pair;
    std::string old_id = pair.tip();
    pair.commit("view", "four");
    std::string id = pair.tip();
    const std::string object = pair.view("objects/") + id.insert(2, "/");
    ::unlink(object.c_str());
    write_file(object, read_file(pair.real() + "/objects/" + old_id.insert(2, "/")));
    CHECK(pair.work()[0].state == State::Unreadable);
  }

  TEST_CASE("a FIFO among the objects or refs holds nobody up") {
    Repositories pair;
    pair.commit("view", "four");
    std::string id = pair.tip();
    const std::string object = pair.view("objects/") + id.insert(2, "/");
    ::unlink(object.c_str());
    REQUIRE(::mkfifo(object.c_str(), 0600) == 0);
    CHECK(pair.work()[0].state == State::Unreadable);
    REQUIRE(::mkfifo(pair.view("refs/heads/pipe").c_str(), 0600) == 0);
    CHECK(pair.work().size() == 1);
  }

  TEST_CASE("alternates that a run wrote are not followed") {
    Repositories pair;
    pair.commit("view", "four");
    const Scratch elsewhere;
    REQUIRE(run({"mv", pair.view("objects"), elsewhere / "objects"}, "/").status == 0);
    make_dirs(pair.view("objects/info"));
    make_dirs(pair.view("objects/pack"));
    write_file(pair.view("objects/info/alternates"), (elsewhere / "objects") + "\n");
    CHECK(pair.work()[0].state == State::Unreadable);
  }

  TEST_CASE("a pack whose deltas form a ring ends with the limits") {
    Repositories pair;
    const Ring ring = make_ring(std::string(20, '\x11'), std::string(20, '\x22'));
    write_file(pair.view("objects/pack/pack-" + std::string(40, '1') + ".pack"), ring.pack);
    write_file(pair.view("objects/pack/pack-" + std::string(40, '1') + ".idx"), ring.index);
    write_file(pair.view("refs/heads/main"), std::string(40, '1') + "\n");
    const auto work = pair.work();
    REQUIRE(work.size() == 1);
    CHECK(work[0].state == State::Unreadable);
  }
}
