// SPDX-License-Identifier: MIT
#include "git/objects/object_check.hpp"
#include "git/objects/tree_rows.hpp"
#include "support/chance.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using shadow::git::check_object;
using shadow::git::tree_rows;
using shadow::test::Chance;
using shadow::test::first_seed;
using shadow::test::rounds;

namespace {

std::string valid(git_object_t type) {
  const std::string who = "A U <a@b> 1700000000 +0100\n";
  const std::string hex(40, '1');
  if (type == GIT_OBJECT_COMMIT) {
    return "tree " + hex + "\nparent " + hex + "\nauthor " + who + "committer " + who + "\nm\n";
  }
  if (type == GIT_OBJECT_TAG) {
    return "object " + hex + "\ntype commit\ntag v\ntagger " + who + "\nm\n";
  }
  const std::string id(20, '\x11');
  return "100644 a" + std::string(1, '\0') + id + "40000 d" + std::string(1, '\0') + id +
         "120000 \xff\n" + std::string(1, '\0') + id;
}

void change(Chance& chance, std::string& bytes) {
  for (std::size_t edits = 1 + chance.below(4); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = chance.below(bytes.size());
    switch (chance.below(3)) {
      case 0:
        bytes[at] = static_cast<char>(chance.below(256));
        break;
      case 1:
        bytes.erase(at, 1 + chance.below(30));
        break;
      default:
        bytes.insert(at, bytes.substr(chance.below(bytes.size()), chance.below(30)));
        break;
    }
  }
}

}  // namespace

TEST_CASE("objects with any bytes are checked to an end, and what passes has whole links") {
  const std::uint64_t seed = first_seed();
  MESSAGE("SHADOW_TEST_SEED=" << seed);
  Chance chance{seed};
  constexpr std::array kTypes{GIT_OBJECT_COMMIT, GIT_OBJECT_TREE, GIT_OBJECT_TAG};
  for (std::size_t round = rounds(200'000); round > 0; --round) {
    const git_object_t type = kTypes[chance.below(kTypes.size())];
    std::string bytes = valid(type);
    change(chance, bytes);
    const auto checked = check_object(type, bytes);
    if (type == GIT_OBJECT_TREE && checked.fault.empty()) {
      const auto rows = tree_rows(bytes);
      REQUIRE(rows);
      CHECK(checked.links.size() <= rows->size());
    }
  }
}
