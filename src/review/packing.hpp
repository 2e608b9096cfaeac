// SPDX-License-Identifier: MIT
// Answers as bytes, for the pipe from the process that looked at the objects.

#pragma once

#include "shadow/commits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::review {

class ByteWriter {
 public:
  void number(std::uint64_t value);
  void text(std::string_view value);
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads with every step checked; `ok` stays false after the first that is not there.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_{bytes} {}

  std::uint64_t number();
  std::string text();
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

[[nodiscard]] std::string pack(const std::vector<BranchWork>& rows);

// nullopt for bytes that `pack` did not make.
[[nodiscard]] std::optional<std::vector<BranchWork>> unpack(std::string_view bytes);

}  // namespace shadow::review
