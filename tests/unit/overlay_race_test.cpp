// SPDX-License-Identifier: MIT
// Layers that change while they are looked at: a live run writes the upper, its user the real tree.

#include "shadow/error.hpp"

#include "overlay/read/scan.hpp"
#include "support/chance.hpp"
#include "support/layers.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

namespace {

constexpr std::array<const char*, 4> kNames{"a", "b", "c d", "\xff"};
constexpr std::string_view kOutside = "outside-only";
constexpr std::chrono::milliseconds kDuration{800};

// Replaces things by other things until it is told to stop; what the kernel refuses is left out.
class Restless {
 public:
  Restless(const std::string& root, std::string outside, std::uint64_t seed)
      : root_{open_dir(root)}, outside_{std::move(outside)}, chance_{seed} {}
  Restless(const Restless&) = delete;
  Restless(Restless&&) = delete;
  Restless& operator=(const Restless&) = delete;
  Restless& operator=(Restless&&) = delete;
  ~Restless() {
    stop_ = true;
    worker_.join();
  }

 private:
  void run() {
    while (!stop_) {
      act();
    }
  }

  struct Place {
    sys::Fd dir;
    std::string name;
  };

  // Not through the links: it is the layer that is to change, not what lies outside.
  Place any_place() {
    std::string path;
    for (std::size_t depth = chance_.below(3); depth > 0; --depth) {
      path = sys::join_path(path, chance_.any(kNames));
    }
    sys::Fd dir = sys::try_open_beneath(root_.get(), path, O_PATH | O_DIRECTORY);
    return {dir ? std::move(dir) : sys::duplicate(root_.get()), chance_.any(kNames)};
  }

  void act() {
    const Place here = any_place();
    const Place there = any_place();
    const int dir = here.dir.get();
    const char* name = here.name.c_str();
    switch (chance_.below(8)) {
      case 0:
        result_ = ::renameat2(dir, name, there.dir.get(), there.name.c_str(), RENAME_EXCHANGE);
        break;
      case 1:
        result_ = ::renameat(dir, name, there.dir.get(), there.name.c_str());
        break;
      case 2:
        remove(here);
        result_ = ::symlinkat(outside_.c_str(), dir, name);
        break;
      case 3:
        remove(here);
        result_ =
            chance_.one_in(2) ? ::mkfifoat(dir, name, 0600) : ::mknodat(dir, name, S_IFCHR, 0);
        break;
      case 4:
      case 5:
        remove(here);
        result_ = ::mkdirat(dir, name, 0755);
        break;
      default:
        if (const sys::Fd fd = sys::try_open_at(dir, name, kWrite, 0644)) {
          const std::string text(chance_.below(100'000), 'x');
          result_ = static_cast<int>(::write(fd.get(), text.data(), text.size()));
        }
    }
  }

  void remove(const Place& place) {
    try {
      sys::remove_tree(place.dir.get(), place.name);
    } catch (const shadow::Error&) {
      result_ = -1;
    }
  }

  static constexpr int kWrite = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_APPEND;
  sys::Fd root_;
  std::string outside_;
  Chance chance_;
  int result_ = 0;
  std::atomic<bool> stop_{false};
  std::thread worker_{[this] { run(); }};
};

bool leads_outside(std::string_view path) {
  return path.find(kOutside) != std::string_view::npos;
}

// What the layers say, or nothing when they changed too fast. Anything else than Error comes out.
template <class Look>
void attempt(int& answers, const Look& look) {
  try {
    look();
    ++answers;
  } catch (const shadow::Error& error) {
    INFO(error.what());
    CHECK_FALSE(leads_outside(error.what()));
  }
}

}  // namespace

TEST_SUITE("overlay/race") {
  TEST_CASE(
      "layers that change meanwhile give an answer or an error, and none of it from outside") {
    const std::uint64_t seed = first_seed();
    MESSAGE("SHADOW_TEST_SEED=" << seed);
    const Layers layers{{}, {}};
    const Scratch outside;
    build(outside / "dir", {{std::string{kOutside}, file("secret")}, {"a", file("secret")}});
    const Snapshot before = snapshot(outside.path());
    int scans = 0;
    int lists = 0;
    int reads = 0;
    {
      const Restless session{layers.upper_path(), outside / "dir", seed};
      const Restless user{layers.lower_path(), outside / "dir", seed + 1};
      const auto end = std::chrono::steady_clock::now() + kDuration;
      while (std::chrono::steady_clock::now() < end) {
        attempt(scans, [&] {
          for (const shadow::Change& change :
               overlay::scan(layers.upper(), layers.lower()).changes) {
            CHECK_FALSE(leads_outside(change.path));
          }
        });
        attempt(lists, [&] {
          for (const overlay::UpperEntry& entry : overlay::list_upper(layers.upper())) {
            CHECK_FALSE(leads_outside(entry.path));
          }
        });
        attempt(reads, [&] {
          for (const std::string& name : layers.view().list("a")) {
            CHECK_FALSE(leads_outside(name));
          }
          CHECK(layers.view().read("a/a", std::uint64_t{1} << 40U) != "secret");
        });
      }
    }
    CHECK(scans > 0);
    CHECK(lists > 0);
    CHECK(reads > 0);
    CHECK(differences(before, snapshot(outside.path())) == "");
  }
}
