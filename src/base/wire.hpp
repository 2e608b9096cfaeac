// SPDX-License-Identifier: MIT
// Bytes between a process and its own child on this machine: numbers of 8 bytes in the machine's
// order, texts after their length. Nothing of it is stored.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace shadow {

class WireWriter {
 public:
  void number(std::uint64_t value);
  void text(std::string_view value);
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The child may have been taken over by what it read, so every step is checked: after the first
// that leads beyond the end, `ok` stays false and all that is read is zero or empty.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_{bytes} {}

  std::uint64_t number();
  std::string text();
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace shadow
