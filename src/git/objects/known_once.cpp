// SPDX-License-Identifier: MIT
#include "git/objects/known_once.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "git/objects/objects.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>

namespace shadow::git {

namespace {

// gitformat-pack(5): eight bytes, 256 counts of four, then the sorted names.
constexpr std::size_t kHead = 8;
constexpr std::size_t kFans = 256;
constexpr std::size_t kName = kHexId / 2;
constexpr std::uint64_t kMostIndex = std::uint64_t{256} << 20U;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

// False when the index is no such.
bool add_names(std::string_view index, std::vector<std::string>& names) {
  constexpr std::string_view kMagic{"\377tOc\0\0\0\2", kHead};
  constexpr std::size_t kTable = kHead + kFans * sizeof(std::uint32_t);
  if (index.size() < kTable || !index.starts_with(kMagic)) {
    return false;
  }
  const auto fan = [index](std::size_t byte) {
    return number_at(index, kHead + byte * sizeof(std::uint32_t));
  };
  const std::uint64_t count = fan(kFans - 1);
  if (count > (index.size() - kTable) / kName) {
    return false;
  }
  std::uint64_t at = 0;
  std::string_view last;
  for (std::size_t byte = 0; byte < kFans; ++byte) {
    for (; at < fan(byte); ++at) {
      const std::string_view name = index.substr(kTable + at * kName, kName);
      if (at >= count || static_cast<unsigned char>(name[0]) != byte || name <= last) {
        return false;
      }
      last = name;
      names.emplace_back(name);
    }
    if (at != fan(byte)) {
      return false;
    }
  }
  return at == count;
}

std::optional<std::string> from_hex(const std::string& text) {
  if (!is_object_id(text)) {
    return std::nullopt;
  }
  const auto digit = [&text](std::size_t at) {
    return text[at] <= '9' ? text[at] - '0' : text[at] - 'a' + 10;
  };
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    bytes += static_cast<char>(digit(at) * 16 + digit(at + 1));
  }
  return bytes;
}

void add_loose(int objects, const std::string& fan, std::vector<std::string>& names) {
  const sys::Fd directory = sys::try_open_at(objects, fan, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const sys::DirEntry& entry :
       directory ? sys::list_dir(directory.get()) : std::vector<sys::DirEntry>{}) {
    if (auto name = from_hex(fan + entry.name)) {
      names.push_back(*std::move(name));
    }
  }
}

bool add_packs(int objects, std::vector<std::string>& names) {
  const sys::Fd packs = sys::try_open_at(objects, "pack", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const sys::DirEntry& entry :
       packs ? sys::list_dir(packs.get()) : std::vector<sys::DirEntry>{}) {
    if (entry.name.ends_with(".idx")) {
      const auto index = sys::read_file_at(packs.get(), entry.name, kMostIndex);
      if (!index || !add_names(*index, names)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool is_each_known_once(const std::string& objects) try {
  const sys::Fd directory = sys::open_path(objects, O_RDONLY | O_DIRECTORY);
  std::vector<std::string> names;
  if (!holds_only_files(directory.get()) || !add_packs(directory.get(), names)) {
    return false;
  }
  for (const sys::DirEntry& entry : sys::list_dir(directory.get())) {
    if (entry.name.size() == 2) {
      add_loose(directory.get(), entry.name, names);
    }
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
} catch (const Error&) {
  return false;
}

}  // namespace shadow::git
