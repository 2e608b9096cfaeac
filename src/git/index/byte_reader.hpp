// SPDX-License-Identifier: MIT
// Reads what a crafted file may hold: every step is checked, and `ok` stays false after the first
// that leads beyond the end.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shadow::git {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_{bytes}, whole_{bytes.size()} {}

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

  // Most significant byte first.
  std::uint64_t wide(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char c : take(bytes)) {
      value = (value << 8U) | static_cast<unsigned char>(c);
    }
    return value;
  }
  std::uint32_t number(std::size_t bytes) { return static_cast<std::uint32_t>(wide(bytes)); }

  // git's number of variable width, as in pack files' offsets.
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

}  // namespace shadow::git
