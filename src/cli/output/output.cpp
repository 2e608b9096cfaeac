// SPDX-License-Identifier: MIT
#include "cli/output/output.hpp"

#include "shadow/error.hpp"

#include <cerrno>

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
  begun_ = begun_ || !bytes.empty();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail();
  }
}

void Output::flush() {
  if (std::fflush(file_) != 0) {
    fail();
  }
}

}  // namespace shadow::cli
