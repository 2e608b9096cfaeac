// SPDX-License-Identifier: MIT
#include "sys/files/clock.hpp"

#include "shadow/error.hpp"

#include "sys/files/file.hpp"

#include <ctime>

namespace shadow::sys {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;

std::int64_t read_clock(clockid_t id) {
  timespec now{};
  ::clock_gettime(id, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace

std::int64_t now_ns() {
  return read_clock(CLOCK_REALTIME);
}
std::int64_t monotonic_ns() {
  return read_clock(CLOCK_MONOTONIC);
}
std::int64_t coarse_now_ns() {
  return read_clock(CLOCK_REALTIME_COARSE);
}

void wait_for_coarse_tick(std::int64_t then_ns) {
  while (coarse_now_ns() <= then_ns) {
    const timespec pause{0, kMillisecond / 4};
    ::nanosleep(&pause, nullptr);
  }
}

std::string boot_id() {
  const auto text = read_file_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id");
  if (!text) {
    throw Error{"cannot read the boot id: /proc is not mounted"};
  }
  return text->substr(0, text->find('\n'));
}

}  // namespace shadow::sys
