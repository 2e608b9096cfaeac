// SPDX-License-Identifier: MIT
// Numbers and texts as bytes: for the pipe between a process and its child, and for the base tree.
// A number has seven bits in each byte, the lowest first, and the eighth bit in all but the last; a
// text follows its length.

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

// The child may have been taken over by what it read, so every step is checked: after the first one
// beyond the end `ok` stays false, and everything that is read is zero or empty.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_{bytes} {}

  std::uint64_t number();
  std::string text() { return std::string{view()}; }
  std::string_view view();  // a text, borrowed
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace shadow
