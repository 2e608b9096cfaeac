// SPDX-License-Identifier: MIT
#include "base/wire.hpp"

#include <cstddef>

namespace shadow {
namespace {

constexpr unsigned kBits = 7;
constexpr std::uint64_t kMore = 0x80;

}  // namespace

void WireWriter::number(std::uint64_t value) {
  for (; value >= kMore; value >>= kBits) {
    bytes_ += static_cast<char>((value & (kMore - 1)) | kMore);
  }
  bytes_ += static_cast<char>(value);
}

void WireWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

std::uint64_t WireReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && ok_ && !rest_.empty(); shift += kBits) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= (byte & (kMore - 1)) << shift;
    if ((byte & kMore) == 0) {
      return value;
    }
  }
  ok_ = false;
  return 0;
}

std::string_view WireReader::view() {
  const std::uint64_t size = number();
  if (!ok_ || size > rest_.size()) {
    ok_ = false;
    return {};
  }
  const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(size));
  rest_.remove_prefix(bytes.size());
  return bytes;
}

}  // namespace shadow
