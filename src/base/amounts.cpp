// SPDX-License-Identifier: MIT
#include "base/amounts.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace shadow {
namespace {

struct Number {
  double value = 0;
  std::string_view rest;
};

// A plain decimal number (no sign, no exponent, no "inf") and what follows it.
std::optional<Number> leading_number(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  Number number;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + end, number.value);
  if (end == 0 || error != std::errc{} || stop != text.data() + end) {
    return std::nullopt;
  }
  number.rest = text.substr(end);
  return number;
}

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMillisecond;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const std::optional<Number> number = leading_number(text);
  if (!number) {
    return std::nullopt;
  }
  std::string_view unit = number->rest;
  double factor = 1;
  constexpr std::string_view kUnits = "KMGT";
  if (!unit.empty() && unit != "B") {
    const char letter = unit[0] >= 'a' ? static_cast<char>(unit[0] - 'a' + 'A') : unit[0];
    const std::size_t power = kUnits.find(letter);
    if (power == std::string_view::npos) {
      return std::nullopt;
    }
    factor = std::pow(1024.0, static_cast<double>(power + 1));
    unit.remove_prefix(1);
    if (!unit.empty() && unit != "B" && unit != "iB") {
      return std::nullopt;
    }
  }
  const double bytes = number->value * factor;
  constexpr double kMost = 9e18;
  if (bytes > kMost) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(bytes);
}

std::string human_size(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kNames = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kNames.size()) {
    value /= 1024.0;
    ++unit;
  }
  if (unit == 0 || value >= 100.0) {
    return fmt::format("{:.0f} {}", value, kNames.at(unit));
  }
  return fmt::format("{:.1f} {}", value, kNames.at(unit));
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  const std::optional<Number> number = leading_number(text);
  if (!number) {
    return std::nullopt;
  }
  const std::string_view unit = number->rest;
  double factor = 0;
  if (unit.empty() || unit == "s") {
    factor = static_cast<double>(kSecond);
  } else if (unit == "ms") {
    factor = static_cast<double>(kMillisecond);
  } else if (unit == "m") {
    factor = static_cast<double>(kMinute);
  } else if (unit == "h") {
    factor = static_cast<double>(kHour);
  } else {
    return std::nullopt;
  }
  const double nanoseconds = number->value * factor;
  constexpr double kMost = 9e18;
  if (nanoseconds < 1 || nanoseconds > kMost) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(nanoseconds);
}

std::string human_duration(std::int64_t nanoseconds) {
  if (nanoseconds < kSecond) {
    return fmt::format("{} ms", nanoseconds / kMillisecond);
  }
  if (nanoseconds < kMinute) {
    return fmt::format("{:.1f} s", static_cast<double>(nanoseconds) / static_cast<double>(kSecond));
  }
  if (nanoseconds < kHour) {
    return fmt::format("{} min {} s", nanoseconds / kMinute, nanoseconds % kMinute / kSecond);
  }
  if (nanoseconds < kDay) {
    return fmt::format("{} h {} min", nanoseconds / kHour, nanoseconds % kHour / kMinute);
  }
  return fmt::format("{} d {} h", nanoseconds / kDay, nanoseconds % kDay / kHour);
}

}  // namespace shadow
