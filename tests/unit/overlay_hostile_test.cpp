// SPDX-License-Identifier: MIT
// Uppers that no overlayfs would write, by chance: the view, the change set and what is taken out
// must agree with each other on all of them.

#include "shadow/error.hpp"

#include "overlay/read/scan.hpp"
#include "overlay/write/prune.hpp"
#include "support/chance.hpp"
#include "support/expect.hpp"
#include "support/layers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;

namespace {

constexpr std::array<const char*, 6> kNames{"a", "b c", "new\nline", "\xff", "-d", ":,\\"};
constexpr std::array<const char*, 4> kTexts{"", "1", "2", "longer"};
constexpr std::array<mode_t, 3> kModes{0644, 0755, 0700};
constexpr std::array<const char*, 8> kXattrs{"user.overlay.opaque",    "user.overlay.whiteout",
                                             "user.overlay.redirect",  "user.overlay.metacopy",
                                             "user.overlay.origin",    "user.overlay.protattr",
                                             "user.overlay.overlay.k", "user.k"};
constexpr std::array<const char*, 6> kValues{"y", "x", "", "/a", "\xff", "yy"};

Item hostile(Chance& chance, Item item) {
  while (chance.one_in(2)) {
    item = item.with(chance.any(kXattrs), chance.any(kValues));
  }
  return item;
}

Item any_item(Chance& chance, bool of_upper) {
  switch (chance.below(of_upper ? 9 : 7)) {
    case 0:
    case 1:
      return file(chance.any(kTexts), chance.any(kModes));
    case 2:
      return link(chance.any(kNames));
    case 3:
      return chance.one_in(2) ? fifo() : sock();
    case 4:
    case 5:
    case 6: {
      const Item made = dir(chance.one_in(3) ? 0700 : 0755);
      return chance.one_in(3) ? made.with("user.k", chance.any(kValues)) : made;
    }
    case 7:
      return opaque();
    default:
      return whiteout();
  }
}

void fill(Chance& chance, Tree& tree, const std::string& prefix, int depth, bool of_upper) {
  for (const char* name : kNames) {
    if (chance.one_in(2)) {
      continue;
    }
    const std::string path = prefix + name;
    Item item = any_item(chance, of_upper);
    const bool attributes = item.kind == Kind::File || item.kind == Kind::Directory;
    if (of_upper && attributes && chance.one_in(3)) {
      item = hostile(chance, item);
    }
    if (of_upper && chance.one_in(6)) {
      for (const auto& [other, there] : tree) {
        if (there.kind == Kind::File && chance.one_in(2)) {
          item = hard(other);
          break;
        }
      }
    }
    tree[path] = item;
    if (item.kind == Kind::Directory && depth > 0) {
      fill(chance, tree, path + '/', depth - 1, of_upper);
    }
  }
}

Tree random_tree(Chance& chance, bool of_upper) {
  Tree tree;
  fill(chance, tree, {}, 2, of_upper);
  return tree;
}

std::vector<std::string> paths_of(const std::vector<overlay::UpperEntry>& entries) {
  std::vector<std::string> paths;
  paths.reserve(entries.size());
  for (const overlay::UpperEntry& entry : entries) {
    paths.push_back(entry.path);
  }
  return paths;
}

void drop_one(Chance& chance, const Layers& layers, const Snapshot& lower) {
  const Snapshot before = snapshot(layers.view());
  const shadow::ChangeSet set = overlay::scan(layers.upper(), layers.lower());
  if (set.empty()) {
    return;
  }
  const std::string path = chance.any(set.changes).path;
  CAPTURE(path);
  const auto expected = after_drop(before, lower, path);
  if (expected) {
    overlay::drop(layers.upper(), layers.lower(), path);
  } else {
    CHECK_THROWS_AS(overlay::drop(layers.upper(), layers.lower(), path), shadow::Error);
  }
  CHECK(differences(expected.value_or(before), snapshot(layers.view())) == "");
}

}  // namespace

TEST_SUITE("overlay/hostile") {
  TEST_CASE("view, change set, prune and drop agree on whatever lies in an upper") {
    const std::uint64_t seed = first_seed();
    const std::size_t end = rounds(20);
    MESSAGE("SHADOW_TEST_SEED=" << seed);
    for (std::uint64_t round = 0; round < end; ++round) {
      const std::uint64_t this_seed = seed + round;
      CAPTURE(this_seed);
      Chance chance{this_seed};
      const Layers layers{random_tree(chance, false), random_tree(chance, true)};
      const Snapshot lower = snapshot(layers.lower_path());
      const Snapshot view = snapshot(layers.view());
      const std::string said = layers.scan();
      CHECK(complaints(overlay::scan(layers.upper(), layers.lower()), lower, view) == "");
      overlay::prune(layers.upper(), layers.lower(), paths_of(overlay::list_upper(layers.upper())));
      CHECK(differences(view, snapshot(layers.view())) == "");
      CHECK(layers.scan() == said);
      for (int drops = 0; drops < 4; ++drops) {
        drop_one(chance, layers, lower);
      }
      CHECK(differences(lower, snapshot(layers.lower_path())) == "");
    }
  }
}
