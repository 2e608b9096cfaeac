// SPDX-License-Identifier: MIT
#include "fuzz/target.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace fuzz {

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return size == 0 ? std::string_view{}
                   : std::string_view{reinterpret_cast<const char*>(data), size};
}

void require(bool promise, const char* what) {
  if (!promise) {
    std::fprintf(stderr, "a promise is broken: %s\n", what);
    std::abort();
  }
}

std::uint8_t Bytes::number() {
  if (rest_.empty()) {
    return 0;
  }
  const auto value = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return value;
}

std::string_view Bytes::piece() {
  const std::size_t wanted = number();
  const std::size_t length = std::min(wanted, rest_.size());
  const std::string_view piece = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return piece;
}

}  // namespace fuzz
