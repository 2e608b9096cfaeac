// SPDX-License-Identifier: MIT
#include "sandbox/process/report.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <unistd.h>

namespace shadow::sandbox {
namespace {

// A fixed size keeps messages apart; below PIPE_BUF (4096) a write is atomic (pipe(7)).
struct Wire {
  std::int64_t number;
  std::uint32_t kind;
  std::array<char, 2000> message;
  std::array<char, 1000> hint;
};

template <std::size_t Size>
void put(std::array<char, Size>& into, const std::string& text) {
  into.fill('\0');
  std::copy_n(text.data(), std::min(text.size(), Size - 1), into.data());
}

}  // namespace

void send_report(int fd, const Report& report) noexcept {
  Wire wire{};
  wire.number = report.number;
  wire.kind = static_cast<std::uint32_t>(report.kind);
  put(wire.message, report.message);
  put(wire.hint, report.hint);
  while (::write(fd, &wire, sizeof wire) < 0 && errno == EINTR) {
  }
}

void send_error(int fd, const Error& error) noexcept {
  send_report(fd, {Report::Kind::Failed, static_cast<std::int64_t>(error.code()), error.what(),
                   error.hint()});
}

std::optional<Report> receive_report(int fd) {
  Wire wire{};
  for (;;) {
    const ssize_t got = ::read(fd, &wire, sizeof wire);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got != static_cast<ssize_t>(sizeof wire)) {
      return std::nullopt;
    }
    Report report;
    report.kind = static_cast<Report::Kind>(wire.kind);
    report.number = wire.number;
    report.message = wire.message.data();
    report.hint = wire.hint.data();
    return report;
  }
}

int continue_signal() {
  return SIGRTMIN;
}

}  // namespace shadow::sandbox
