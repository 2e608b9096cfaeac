// SPDX-License-Identifier: MIT
// A fuzz target: one function over bytes, which neither crashes, nor hangs, nor breaks a promise,
// whatever they are. Linked with libFuzzer (tools/fuzz), or with replay.cpp.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

[[nodiscard]] std::string_view text_of(const std::uint8_t* data, std::size_t size);

// Ends the program, so that the fuzzer keeps the input: NDEBUG does not matter.
void require(bool promise, const char* what);

// Takes numbers and pieces off the front; zeros and nothing when there are no bytes left.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_{bytes} {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  std::uint8_t number();
  std::uint8_t below(std::uint8_t limit) { return static_cast<std::uint8_t>(number() % limit); }
  // As long as the first byte says.
  std::string_view piece();
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace fuzz
