// SPDX-License-Identifier: MIT
#include "sys/files/identity.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sys {
namespace {

std::string handle_of(int fd) {
  constexpr std::size_t kRoom = sizeof(file_handle) + MAX_HANDLE_SZ;
  alignas(file_handle) std::array<std::byte, kRoom> room{};
  auto* handle =
      reinterpret_cast<file_handle*>(room.data());  // the kernel's own variable-size type
  handle->handle_bytes = MAX_HANDLE_SZ;
  int mount_id = 0;
  if (::name_to_handle_at(fd, "", handle, &mount_id, AT_EMPTY_PATH) != 0) {
    return {};
  }
  std::string hex = fmt::format("{:x}:", handle->handle_type);
  const auto* bytes = room.data() + offsetof(file_handle, f_handle);
  for (unsigned i = 0; i < handle->handle_bytes; ++i) {
    hex += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[i]));
  }
  return hex;
}

std::uint64_t to_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error{"cannot read an identity: not a number: " + quoted(text)};
  }
  return value;
}

}  // namespace

Identity identify(int fd) {
  struct stat st {};
  if (::fstat(fd, &st) != 0) {
    throw_errno("look at a directory");
  }
  return {st.st_dev, st.st_ino, handle_of(fd)};
}

std::string to_text(const Identity& identity) {
  return fmt::format("{} {} {}\n", identity.dev, identity.ino, identity.handle);
}

Identity identity_from_text(const std::string& text) {
  const std::vector<std::string> parts = split(text.substr(0, text.find('\n')), ' ');
  if (parts.size() != 3) {
    throw Error{"cannot read an identity: " + quoted(text)};
  }
  return {to_number(parts[0]), to_number(parts[1]), parts[2]};
}

}  // namespace shadow::sys
