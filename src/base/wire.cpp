// SPDX-License-Identifier: MIT
#include "base/wire.hpp"

#include <cstddef>
#include <cstring>

namespace shadow {

void WireWriter::number(std::uint64_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void WireWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

std::string_view WireReader::take(std::uint64_t count) {
  if (!ok_ || count > rest_.size()) {
    ok_ = false;
    return {};
  }
  const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(count));
  rest_.remove_prefix(bytes.size());
  return bytes;
}

std::uint64_t WireReader::number() {
  std::uint64_t value = 0;
  const std::string_view bytes = take(sizeof value);
  if (ok_) {
    std::memcpy(&value, bytes.data(), sizeof value);
  }
  return value;
}

std::string WireReader::text() {
  return std::string{take(number())};
}

}  // namespace shadow
