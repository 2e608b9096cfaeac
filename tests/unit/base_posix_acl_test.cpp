// SPDX-License-Identifier: MIT
#include "base/posix_acl.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace {

struct Line {
  std::uint16_t tag;
  std::uint16_t rights;
  std::uint32_t id;
};

std::string acl(std::initializer_list<Line> lines) {
  std::string value{"\2\0\0\0", 4};
  const auto put = [&value](std::uint32_t number, int bytes) {
    for (int i = 0; i < bytes; ++i, number >>= 8U) {
      value += static_cast<char>(number & 0xffU);
    }
  };
  for (const Line& line : lines) {
    put(line.tag, 2);
    put(line.rights, 2);
    put(line.id, 4);
  }
  return value;
}

constexpr std::uint32_t kNone = 0xffffffff;

// user::rw- user:7:rw- group::r-- mask::rw- other::---
std::string shared(std::uint32_t id = 7) {
  return acl({{1, 6, kNone}, {2, 6, id}, {4, 4, kNone}, {16, 6, kNone}, {32, 0, kNone}});
}

}  // namespace

TEST_SUITE("base/posix_acl") {
  using namespace shadow;

  TEST_CASE("an id that is not mapped is one of a user or a group") {
    CHECK(names_unmapped_id(shared(kNone)));
    CHECK_FALSE(names_unmapped_id(shared()));
    CHECK_FALSE(names_unmapped_id(""));
    CHECK_FALSE(names_unmapped_id(shared(kNone).substr(0, 15)));
  }

  TEST_CASE("a mode sets the mask, and the group where there is none") {
    CHECK(acl_with_mode(shared(), 0741) ==
          acl({{1, 7, kNone}, {2, 6, 7}, {4, 4, kNone}, {16, 4, kNone}, {32, 1, kNone}}));
    CHECK(acl_with_mode(acl({{1, 7, kNone}, {4, 7, kNone}, {32, 7, kNone}}), 0640) ==
          acl({{1, 6, kNone}, {4, 4, kNone}, {32, 0, kNone}}));
  }

  TEST_CASE("what a mode tells of an ACL is no difference") {
    CHECK(same_entries(shared(), acl_with_mode(shared(), 0777)));
    CHECK_FALSE(same_entries(shared(), shared(8)));
  }

  TEST_CASE("without its ACL a file gives its group what that had, and not the mask") {
    CHECK(mode_without_acl(shared(), 0660) == 0640);
    CHECK(mode_without_acl(shared(), 0620) == 0600);
    CHECK(mode_without_acl("", 0660) == 0600);
  }

  TEST_CASE("another group has no more than all others") {
    CHECK(mode_without_group(0664) == 0644);
    CHECK(mode_without_group(02770) == 02700);
    CHECK(acl_without_group(shared()) ==
          acl({{1, 6, kNone}, {2, 6, 7}, {4, 0, kNone}, {16, 6, kNone}, {32, 0, kNone}}));
  }
}
