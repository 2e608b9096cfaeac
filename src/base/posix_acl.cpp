// SPDX-License-Identifier: MIT
#include "base/posix_acl.hpp"

#include <cstddef>
#include <optional>

namespace shadow {
namespace {

// posix_acl_xattr.h: a version of four bytes, then entries of tag, permissions (two bytes each) and
// id (four bytes), all little endian.
constexpr std::size_t kHead = 4;
constexpr std::size_t kEntry = 8;
constexpr std::size_t kPermissions = 2;
constexpr std::size_t kId = 4;

enum Tag : std::uint32_t {
  OwnerTag = 0x01,
  UserTag = 0x02,
  GroupOwnerTag = 0x04,
  GroupTag = 0x08,
  MaskTag = 0x10,
  OtherTag = 0x20
};

constexpr std::uint32_t kUnmapped = 0xffffffff;
constexpr std::uint32_t kOneClass = 07;
constexpr unsigned kOwnerShift = 6;
constexpr unsigned kGroupShift = 3;

std::uint32_t number_at(std::string_view acl, std::size_t at, std::size_t bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    number = number << 8U | static_cast<unsigned char>(acl[at + i]);
  }
  return number;
}

// Where the entry begins; none when there is no such.
std::optional<std::size_t> find(std::string_view acl, std::uint32_t tag) {
  for (std::size_t at = kHead; at + kEntry <= acl.size(); at += kEntry) {
    if (number_at(acl, at, 2) == tag) {
      return at;
    }
  }
  return std::nullopt;
}

std::uint32_t permissions(std::string_view acl, std::uint32_t tag, std::uint32_t without) {
  const auto at = find(acl, tag);
  return at ? number_at(acl, *at + kPermissions, 2) & kOneClass : without;
}

void set_permissions(std::string& acl, std::uint32_t tag, std::uint32_t value) {
  if (const auto at = find(acl, tag)) {
    acl[*at + kPermissions] = static_cast<char>(value & kOneClass);
  }
}

}  // namespace

bool names_unmapped_id(std::string_view acl) {
  for (std::size_t at = kHead; at + kEntry <= acl.size(); at += kEntry) {
    const std::uint32_t tag = number_at(acl, at, 2);
    if ((tag == UserTag || tag == GroupTag) && number_at(acl, at + kId, 4) == kUnmapped) {
      return true;
    }
  }
  return false;
}

std::string acl_with_mode(std::string acl, std::uint32_t mode) {
  set_permissions(acl, OwnerTag, mode >> kOwnerShift);
  set_permissions(acl, find(acl, MaskTag) ? MaskTag : GroupOwnerTag, mode >> kGroupShift);
  set_permissions(acl, OtherTag, mode);
  return acl;
}

std::string acl_text(std::string_view acl) {
  constexpr std::string_view kLetters = "xwr";
  std::string text;
  for (std::size_t at = kHead; at + kEntry <= acl.size(); at += kEntry) {
    const std::uint32_t tag = number_at(acl, at, 2);
    const std::uint32_t rights = number_at(acl, at + kPermissions, 2);
    const bool of_users = tag == OwnerTag || tag == UserTag;
    const bool of_groups = tag == GroupOwnerTag || tag == GroupTag;
    text += text.empty() ? "" : ",";
    text += of_users ? "user:" : of_groups ? "group:" : tag == MaskTag ? "mask:" : "other:";
    text += tag == UserTag || tag == GroupTag ? std::to_string(number_at(acl, at + kId, 4)) : "";
    text += ':';
    for (std::size_t bit = kLetters.size(); bit-- > 0;) {
      text += (rights >> bit & 1U) != 0 ? kLetters[bit] : '-';
    }
  }
  return text;
}

std::uint32_t rights_of_others(std::string_view acl) {
  const std::uint32_t group = permissions(acl, GroupOwnerTag, 0);
  return permissions(acl, MaskTag, group) << kGroupShift | permissions(acl, OtherTag, 0);
}

bool same_entries(const std::string& a, const std::string& b) {
  return a == b || acl_with_mode(a, 0) == acl_with_mode(b, 0);
}

std::uint32_t mode_without_acl(std::string_view acl, std::uint32_t mode) {
  const std::uint32_t group = permissions(acl, GroupOwnerTag, 0) << kGroupShift;
  return (mode & ~kGroupClass) | (mode & group);
}

std::string acl_without_group(std::string acl) {
  const std::uint32_t group = permissions(acl, GroupOwnerTag, 0) & permissions(acl, OtherTag, 0);
  set_permissions(acl, GroupOwnerTag, group);
  return acl;
}

std::uint32_t mode_without_group(std::uint32_t mode) {
  const std::uint32_t others = (mode & kOneClass) << kGroupShift;
  return (mode & ~kGroupClass) | (mode & others);
}

}  // namespace shadow
