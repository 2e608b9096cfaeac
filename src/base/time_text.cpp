// SPDX-License-Identifier: MIT
#include "base/time_text.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <string_view>

namespace shadow {
namespace {

constexpr std::int64_t kNsOfSecond = 1'000'000'000;
constexpr std::int64_t kNsOfMillisecond = 1'000'000;

}  // namespace

std::string local_time(std::int64_t ns) {
  const std::time_t seconds = ns / kNsOfSecond;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return {text.data(), length};
}

std::string utc_time(std::int64_t ns) {
  const std::time_t seconds = ns / kNsOfSecond;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:03}Z", std::string_view{text.data(), length},
                     ns % kNsOfSecond / kNsOfMillisecond);
}

}  // namespace shadow
