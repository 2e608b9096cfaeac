// SPDX-License-Identifier: MIT
// Names that count, against names of which a script computes a part. Pure.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shadow::sensitive {

class KnownPattern {
 public:
  static constexpr std::size_t kLongest = 63;

  // At most kLongest characters of ASCII: "*" is any text, "?" any without "_".
  explicit KnownPattern(std::string_view known);

  // True if there is a text that fits both. In `name`, which is ASCII, "*" is any text. Takes time
  // by its length alone.
  [[nodiscard]] bool may_be(std::string_view name) const;

 private:
  [[nodiscard]] std::uint64_t with_empty_parts(std::uint64_t places) const;

  // Sets of places in the known name, a bit each; that behind the last character is one, too.
  static constexpr std::size_t kLetters = 128;
  std::array<std::uint64_t, kLetters> at_{};  // by letter, where it stands
  std::uint64_t any_ = 0;                     // where "*" stands
  std::uint64_t word_ = 0;                    // where "?" stands
  std::uint64_t end_ = 0;
};

}  // namespace shadow::sensitive
