// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "store/contents/blobs.hpp"
#include "support/scratch.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using shadow::store::Blobs;
using shadow::test::Scratch;
namespace sys = shadow::sys;

namespace {

void write_file(const std::string& path, std::string_view bytes) {
  sys::write_all(sys::open_path(path, O_WRONLY | O_CREAT | O_TRUNC, 0600).get(), bytes);
}

}  // namespace

TEST_SUITE("store/blobs") {
  TEST_CASE("a content is kept once, under its hash, whichever way it comes") {
    const Scratch scratch;
    Blobs blobs{scratch.path()};
    const std::string name = blobs.put_bytes("content");
    CHECK(name == shadow::to_hex(shadow::hash_bytes("content")));
    write_file(scratch.path() + "/f", "content");
    CHECK(blobs.put(sys::open_path(scratch.path() + "/f", O_RDONLY).get()) == name);
    const sys::Fd dir = sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    const Blobs::Taken taken = blobs.take(dir.get(), "f", shadow::hash_bytes("content"));
    CHECK(taken.name == name);
    CHECK(taken.moved);
    CHECK_FALSE(sys::read_file_at(dir.get(), "f"));
    CHECK(blobs.list().size() == 1);
    CHECK(sys::read_all(blobs.open(name).get()) == "content");
    blobs.remove(name);
    blobs.remove(name);
    CHECK_FALSE(blobs.open(name));
    CHECK(blobs.list().empty());
  }

  TEST_CASE("processes that put the first content of a shelf at the same moment all put it") {
    constexpr int kRounds = 40;
    constexpr int kProcesses = 8;
    for (int round = 0; round < kRounds; ++round) {
      const Scratch scratch;
      Blobs blobs{scratch.path()};
      std::array<int, 2> gate{};
      REQUIRE(::pipe2(gate.data(), O_CLOEXEC) == 0);
      std::vector<pid_t> children;
      for (int process = 0; process < kProcesses; ++process) {
        const pid_t child = ::fork();
        if (child == 0) {
          ::close(gate[1]);
          char byte = 0;
          (void)!::read(gate[0], &byte, 1);  // until the other end is closed
          try {
            (void)blobs.put_bytes("content");
            ::_exit(0);
          } catch (const shadow::Error&) {
            ::_exit(1);
          }
        }
        children.push_back(child);
      }
      ::close(gate[0]);
      ::close(gate[1]);
      for (const pid_t child : children) {
        CHECK(sys::wait_for(child) == 0);
      }
      CHECK(blobs.list().size() == 1);
    }
  }

  TEST_CASE("holes of a sparse file count as the zeros that they read as") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/sparse";
    constexpr off_t kMiB = 1 << 20;
    const auto written = [&](const std::vector<std::pair<off_t, std::string>>& parts, off_t size) {
      const sys::Fd fd = sys::open_path(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
      std::string whole(static_cast<std::size_t>(size), '\0');
      for (const auto& [at, text] : parts) {
        REQUIRE(::pwrite(fd.get(), text.data(), text.size(), at) ==
                static_cast<ssize_t>(text.size()));
        whole.replace(static_cast<std::size_t>(at), text.size(), text);
      }
      REQUIRE(::ftruncate(fd.get(), size) == 0);
      REQUIRE(::lseek(fd.get(), 7, SEEK_SET) == 7);
      CHECK(shadow::store::hash_file(fd.get()) == shadow::hash_bytes(whole));
      CHECK(::lseek(fd.get(), 0, SEEK_CUR) == 7);
    };
    written({}, 0);
    written({}, 3 * kMiB + 5);
    written({{0, "begin"}}, 2 * kMiB);
    written({{2 * kMiB, "end"}}, 2 * kMiB + 3);
    written({{kMiB, "middle"}, {kMiB + 100'000, std::string(70'000, 'x')}}, 2 * kMiB + 1);
    written({{0, std::string(200'000, 'y')}}, 200'000);
  }

  TEST_CASE("of a large file the zeros count, and not whether they are a hole") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/large";
    constexpr off_t kMiB = 1 << 20;
    const auto hash_of = [&](const std::vector<std::pair<off_t, std::string>>& parts, off_t size) {
      const sys::Fd fd = sys::open_path(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
      REQUIRE(::ftruncate(fd.get(), size) == 0);
      for (const auto& [at, text] : parts) {
        REQUIRE(::pwrite(fd.get(), text.data(), text.size(), at) ==
                static_cast<ssize_t>(text.size()));
      }
      return shadow::store::hash_file(fd.get());
    };
    constexpr off_t kSize = 300 * kMiB + 7;
    const std::string zeros(200'000, '\0');
    const auto plain = hash_of({{kMiB + 3, "x"}, {kSize - 1, "y"}}, kSize);
    CHECK(plain == hash_of({{kMiB + 3, "x"}, {90'000, zeros}, {kSize - 1, "y"}}, kSize));
    CHECK(plain == hash_of({{kMiB - 9, zeros}, {kMiB + 3, "x"}, {kSize - 1, "y"}}, kSize));
    CHECK(plain != hash_of({{kMiB + 2, "x"}, {kSize - 1, "y"}}, kSize));
    CHECK(plain != hash_of({{2 * kMiB + 3, "x"}, {kSize - 1, "y"}}, kSize));
    CHECK(plain != hash_of({{kMiB + 3, "x"}, {kSize - 2, "y"}}, kSize));
    CHECK(plain != hash_of({{kMiB + 3, "x"}, {kSize - 1, "y"}}, kSize + 1));
    CHECK(hash_of({}, kSize) != hash_of({}, kSize + 1));
    CHECK(hash_of({}, kMiB << 20U) != hash_of({{5, "x"}}, kMiB << 20U));
  }

  TEST_CASE("a content that meets another under its name gets a name of its own") {
    const Scratch scratch;
    Blobs blobs{scratch.path()};
    const std::string name = blobs.put_bytes("content");
    write_file(scratch.path() + "/blobs/" + name.substr(0, 2) + "/" + name, "another");
    const std::string other = blobs.put_bytes("content");
    CHECK(other == name + "-1");
    CHECK(blobs.put_bytes("content") == other);
    CHECK(sys::read_all(blobs.open(other).get()) == "content");
  }

  TEST_CASE("a file with a second name is copied, so that nobody can write through it") {
    const Scratch scratch;
    Blobs blobs{scratch.path()};
    write_file(scratch.path() + "/f", "content");
    REQUIRE(::link((scratch.path() + "/f").c_str(), (scratch.path() + "/g").c_str()) == 0);
    const sys::Fd dir = sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    const Blobs::Taken taken = blobs.take(dir.get(), "f", shadow::hash_bytes("content"));
    CHECK_FALSE(taken.moved);
    write_file(scratch.path() + "/g", "changed");
    CHECK(sys::read_all(blobs.open(taken.name).get()) == "content");
  }

  TEST_CASE("what is no file any more is refused as changed meanwhile") {
    const Scratch scratch;
    Blobs blobs{scratch.path()};
    const sys::Fd dir = sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    CHECK_THROWS_AS((void)shadow::store::hash_file(dir.get()), shadow::StaleError);
    CHECK_THROWS_AS((void)blobs.put(dir.get()), shadow::StaleError);
    CHECK(blobs.list().empty());
  }

  TEST_CASE("a name that is no hash opens nothing") {
    const Scratch scratch;
    const Blobs blobs{scratch.path()};
    CHECK_FALSE(blobs.open("../../etc/passwd"));
    CHECK_FALSE(blobs.open(""));
    CHECK_FALSE(blobs.open(std::string(32, 'a') + "/../x"));
  }

  TEST_CASE("what a process that died left half-written is removed, nothing else") {
    const Scratch scratch;
    Blobs blobs{scratch.path()};
    const std::string name = blobs.put_bytes("content");
    write_file(scratch.path() + "/blobs/new-999999999-1-1", "half");
    blobs.remove_leftovers();
    const sys::Fd dir = sys::open_path(scratch.path() + "/blobs", O_RDONLY | O_DIRECTORY);
    CHECK(sys::list_dir(dir.get()).size() == 1);
    CHECK(blobs.has(name));
  }
}
