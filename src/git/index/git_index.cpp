// SPDX-License-Identifier: MIT
// The format is gitformat-index(5).
#include "git/index/git_index.hpp"

#include "base/text.hpp"
#include "git/index/byte_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace shadow::git {
namespace {

constexpr std::size_t kHeader = 12;
constexpr std::size_t kStat = 40;  // times, device, inode, mode, owner, group, size
constexpr unsigned kAssumeValid = 0x8000;
constexpr unsigned kExtended = 0x4000;
constexpr unsigned kSkipWorktree = 0x4000;  // of the extended flags, as is the next
constexpr unsigned kIntentToAdd = 0x2000;
constexpr unsigned kStageShift = 12;

// The part of an entry before its name.
struct Fixed {
  std::string_view stat;
  std::string_view id;
  std::uint32_t flags = 0;
  std::uint32_t more_flags = 0;
};

Fixed read_entry(ByteReader& in, std::uint32_t version, std::size_t hash_size, std::string& name) {
  const std::size_t begin = in.position();
  Fixed fixed;
  fixed.stat = in.take(kStat);
  fixed.id = in.take(hash_size);
  fixed.flags = in.number(2);
  if (version >= 3 && (fixed.flags & kExtended) != 0) {
    fixed.more_flags = in.number(2);
  }
  if (version == 4) {
    const std::size_t dropped = in.varint();
    const std::string_view added = in.until_nul();
    name.resize(name.size() - std::min(dropped, name.size()));
    name += added;
    return fixed;
  }
  name = in.until_nul();
  // Entries are a multiple of eight bytes long, with at least one NUL at the end.
  in.take((8 - (in.position() - begin) % 8) % 8);
  return fixed;
}

std::int64_t time_of(ByteReader& in) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t seconds = in.number(4);
  return seconds * kSecond + in.number(4);
}

IndexEntry entry_of(const Fixed& fixed, const std::string& name) {
  IndexEntry entry;
  entry.path = name;
  entry.id = fixed.id;
  ByteReader in{fixed.stat};
  entry.ctime_ns = time_of(in);
  entry.mtime_ns = time_of(in);
  in.take(4);  // device: another one after the next mount
  entry.ino = in.number(4);
  entry.mode = in.number(4);
  in.take(8);  // owner and group
  entry.size = in.number(4);
  entry.stage = (fixed.flags >> kStageShift) & 3U;
  entry.unwatched =
      (fixed.flags & kAssumeValid) != 0 || (fixed.more_flags & (kSkipWorktree | kIntentToAdd)) != 0;
  return entry;
}

// A bitmap in words of 64 bits, run-length encoded (ewah/ewah_bitmap.c of git): a marker word tells
// of a bit, how many words of it follow, and how many words after those stand for themselves. The
// positions of the bits that are set; `ok` of the reader becomes false at nonsense.
std::vector<std::uint32_t> read_bitmap(ByteReader& in, std::uint32_t most) {
  constexpr std::uint32_t kBits = 64;
  const std::uint32_t bits = in.number(4);
  const std::uint32_t words = in.number(4);
  ByteReader body{in.take(std::size_t{words} * 8)};
  in.take(4);  // where the last marker is
  std::vector<std::uint32_t> set;
  std::uint64_t at = 0;
  bool sane = bits <= most;
  const auto add = [&](std::uint64_t word) {
    for (std::uint32_t bit = 0; bit < kBits && sane; ++bit) {
      if (((word >> bit) & 1U) != 0) {
        sane = at + bit < most;
        set.push_back(static_cast<std::uint32_t>(at + bit));
      }
    }
    at += kBits;
  };
  while (sane && body.ok() && body.left() > 0) {
    const std::uint64_t marker = body.wide(8);
    const std::uint64_t run = (marker >> 1U) & 0xFFFFFFFFU;
    std::uint64_t literals = marker >> 33U;
    sane = run <= bits / kBits + 1;
    for (std::uint64_t i = 0; i < run && sane; ++i) {
      add((marker & 1U) != 0 ? ~std::uint64_t{0} : 0);
    }
    for (; literals > 0 && sane && body.ok(); --literals) {
      add(body.wide(8));
    }
  }
  if (!sane || !body.ok()) {
    in.take(in.left() + 1);
  }
  return set;
}

// Calls `each(fixed, name)` for the entries, then `extension(kind, body)`. False when the bytes are
// no index with ids of this size.
template <class Each, class Extension>
bool parse_with(std::string_view bytes, std::size_t hash_size, const Each& each,
                const Extension& extension) {
  if (bytes.size() < kHeader + hash_size) {
    return false;
  }
  bytes.remove_suffix(hash_size);
  ByteReader in{bytes};
  if (in.take(4) != "DIRC") {
    return false;
  }
  const std::uint32_t version = in.number(4);
  const std::uint32_t count = in.number(4);
  if (version < 2 || version > 4) {
    return false;
  }
  std::string name;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Fixed fixed = read_entry(in, version, hash_size, name);
    if (!in.ok()) {
      return false;
    }
    each(fixed, name);
  }
  while (in.left() > 0) {
    const std::string_view kind = in.take(4);
    const std::string_view body = in.take(in.number(4));
    if (!in.ok() || !extension(kind, body)) {
      return false;
    }
  }
  return true;
}

bool is_link(const Fixed& fixed) {
  constexpr std::size_t kModeAt = 24;
  constexpr std::uint32_t kType = 0170000;
  constexpr std::uint32_t kLink = 0120000;
  ByteReader mode{fixed.stat.substr(kModeAt)};
  return (mode.number(4) & kType) == kLink;
}

std::optional<IndexNames> names_with(std::string_view bytes, std::size_t hash_size,
                                     IndexKinds kinds) {
  IndexNames result;
  const bool read = parse_with(
      bytes, hash_size,
      [&](const Fixed& fixed, const std::string& name) {
        // In a split index an entry without a name replaces one of the shared file.
        if (!name.empty() && (kinds == IndexKinds::All || is_link(fixed))) {
          // A sparse index holds whole directories, "name/".
          result.names.push_back(name.substr(0, name.size() - (name.back() == '/' ? 1U : 0U)));
        }
      },
      [&](std::string_view kind, std::string_view body) {
        if (kind == "link" && body.size() >= hash_size) {
          result.shared_id = hex_of(body.substr(0, hash_size));
        }
        return true;
      });
  return read ? std::optional{std::move(result)} : std::nullopt;
}

std::optional<IndexEntries> entries_with(std::string_view bytes, std::size_t hash_size) {
  IndexEntries result;
  const bool read = parse_with(
      bytes, hash_size,
      [&](const Fixed& fixed, const std::string& name) {
        result.entries.push_back(entry_of(fixed, name));
      },
      [&](std::string_view kind, std::string_view body) {
        if (kind != "link") {
          return true;
        }
        constexpr std::uint32_t kMostEntries = 1U << 22U;
        ByteReader link{body};
        result.shared_id = hex_of(link.take(hash_size));
        if (link.left() > 0) {
          result.deleted = read_bitmap(link, kMostEntries);
          result.replaced = read_bitmap(link, kMostEntries);
        }
        return link.ok();
      });
  return read ? std::optional{std::move(result)} : std::nullopt;
}

// The file does not say which hash the repository uses; only the right one ends at its end.
template <class Parse>
auto with_its_hash(const Parse& parse) {
  constexpr std::size_t kSha1 = 20;
  constexpr std::size_t kSha256 = 32;
  auto parsed = parse(kSha1);
  return parsed ? std::move(parsed) : parse(kSha256);
}

}  // namespace

std::optional<IndexNames> parse_index(std::string_view bytes, IndexKinds kinds) {
  return with_its_hash([&](std::size_t hash_size) { return names_with(bytes, hash_size, kinds); });
}

std::optional<IndexEntries> parse_index_entries(std::string_view bytes) {
  return with_its_hash([&](std::size_t hash_size) { return entries_with(bytes, hash_size); });
}

std::optional<std::string> shared_file(const std::string& path, const std::string& shared_id) {
  if (shared_id.find_first_not_of('0') == std::string::npos) {
    return std::nullopt;
  }
  return path.substr(0, path.rfind('/') + 1) + "sharedindex." + shared_id;
}

}  // namespace shadow::git
