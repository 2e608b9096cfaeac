// SPDX-License-Identifier: MIT
#include "cli/output/output.hpp"

#include "shadow/error.hpp"

#include <cerrno>
#include <utility>

namespace shadow::cli {

namespace {

[[noreturn]] void fail() {
  if (errno == EPIPE) {
    throw ReaderGone{};
  }
  throw_errno("write to the standard output");
}

}  // namespace

void Output::write(std::string_view bytes) {
  constexpr std::size_t kMostHeld = std::size_t{64} << 10U;
  if (!holds_) {
    pass_on(bytes);
    return;
  }
  held_ += bytes;
  if (held_.size() > kMostHeld) {
    pass_on(std::exchange(held_, {}));
    holds_ = false;
  }
}

bool Output::take_back() {
  held_.clear();
  return !begun_;
}

void Output::pass_on(std::string_view bytes) {
  begun_ = begun_ || !bytes.empty();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail();
  }
}

void Output::flush() {
  pass_on(std::exchange(held_, {}));
  holds_ = false;
  if (std::fflush(file_) != 0) {
    fail();
  }
}

}  // namespace shadow::cli
