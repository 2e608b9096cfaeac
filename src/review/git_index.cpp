// SPDX-License-Identifier: MIT
// The format is gitformat-index(5).
#include "review/git_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace shadow::review {
namespace {

constexpr std::size_t kHeader = 12;
constexpr std::size_t kStat = 40;  // times, device, inode, mode, owner, group, size
constexpr unsigned kExtended = 0x4000;

// Reads with every step checked; `ok` stays false after the first that is not there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_{bytes}, whole_{bytes.size()} {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] std::size_t position() const { return whole_ - rest_.size(); }

  std::string_view take(std::size_t count) {
    if (!ok_ || count > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }

  std::uint32_t number(std::size_t bytes) {
    std::uint32_t value = 0;
    for (const char c : take(bytes)) {
      value = (value << 8U) | static_cast<unsigned char>(c);
    }
    return value;
  }

  // The variable width number of version 4, as in pack files' offsets.
  std::size_t varint() {
    std::size_t value = 0;
    for (int length = 0; ok_ && length < 5; ++length) {
      const std::uint32_t byte = number(1);
      value = (length == 0 ? 0 : (value + 1) << 7U) + (byte & 0x7FU);
      if ((byte & 0x80U) == 0) {
        return value;
      }
    }
    ok_ = false;
    return 0;
  }

  std::string_view until_nul() {
    const std::size_t end = ok_ ? rest_.find('\0') : std::string_view::npos;
    if (end == std::string_view::npos) {
      ok_ = false;
      return {};
    }
    const std::string_view text = take(end);
    take(1);
    return text;
  }

 private:
  std::string_view rest_;
  std::size_t whole_;
  bool ok_ = true;
};

void read_entry(Reader& in, std::uint32_t version, std::size_t hash_size, std::string& name) {
  const std::size_t begin = in.position();
  in.take(kStat + hash_size);
  const std::uint32_t flags = in.number(2);
  if (version >= 3 && (flags & kExtended) != 0) {
    in.take(2);
  }
  if (version == 4) {
    const std::size_t dropped = in.varint();
    const std::string_view added = in.until_nul();
    name.resize(name.size() - std::min(dropped, name.size()));
    name += added;
    return;
  }
  name = in.until_nul();
  // Entries are a multiple of eight bytes long, with at least one NUL at the end.
  in.take((8 - (in.position() - begin) % 8) % 8);
}

std::optional<IndexNames> parse_with(std::string_view bytes, std::size_t hash_size) {
  if (bytes.size() < kHeader + hash_size) {
    return std::nullopt;
  }
  bytes.remove_suffix(hash_size);
  Reader in{bytes};
  if (in.take(4) != "DIRC") {
    return std::nullopt;
  }
  const std::uint32_t version = in.number(4);
  const std::uint32_t count = in.number(4);
  if (version < 2 || version > 4) {
    return std::nullopt;
  }
  IndexNames result;
  result.names.reserve(std::min<std::size_t>(count, bytes.size() / (kStat + hash_size)));
  std::string name;
  for (std::uint32_t i = 0; i < count; ++i) {
    read_entry(in, version, hash_size, name);
    if (!in.ok()) {
      return std::nullopt;
    }
    // In a split index an entry without a name replaces one of the shared file.
    if (!name.empty()) {
      // A sparse index holds whole directories, "name/".
      result.names.push_back(name.substr(0, name.size() - (name.back() == '/' ? 1U : 0U)));
    }
  }
  while (in.left() > 0) {
    const std::string_view kind = in.take(4);
    const std::string_view body = in.take(in.number(4));
    if (!in.ok()) {
      return std::nullopt;
    }
    if (kind == "link" && body.size() >= hash_size) {
      for (const char c : body.substr(0, hash_size)) {
        result.shared_id += fmt::format("{:02x}", static_cast<unsigned char>(c));
      }
    }
  }
  return result;
}

}  // namespace

std::optional<IndexNames> parse_index(std::string_view bytes) {
  // The file does not say which hash the repository uses; only the right one ends at its end.
  for (const std::size_t hash_size : {std::size_t{20}, std::size_t{32}}) {
    if (auto names = parse_with(bytes, hash_size)) {
      return names;
    }
  }
  return std::nullopt;
}

}  // namespace shadow::review
