// SPDX-License-Identifier: MIT
#include "sys/processes/memory_bound.hpp"

#include "shadow/error.hpp"

#include "base/data_bound.hpp"
#include "base/numbers.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>

namespace shadow::sys {

namespace {

// So much is taken however full the machine looks: it is enough for any session but a hostile one.
constexpr std::uint64_t kLeast = std::uint64_t{128} << 20U;

// AddressSanitizer's shadow memory counts as data.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

std::string read_text(const std::string& path) {
  try {
    const Fd file = try_open_at(AT_FDCWD, path, O_RDONLY);
    return file ? read_all(file.get()) : std::string{};
  } catch (const SysError&) {
    return {};
  }
}

// The number after a word at the start of a line.
std::optional<std::uint64_t> number_after(const std::string& text, const std::string& word) {
  const std::size_t line = ("\n" + text).find("\n" + word);
  std::uint64_t number = 0;
  const bool found = line != std::string::npos &&
                     read_numbers(std::string_view{text}.substr(line + word.size()), number);
  return found ? std::optional{number} : std::nullopt;
}

std::optional<std::uint64_t> left_on_machine() {
  constexpr std::uint64_t kKib = 1024;
  const std::string text = read_text("/proc/meminfo");
  const auto available = number_after(text, "MemAvailable:");
  return available
             ? std::optional{(*available + number_after(text, "SwapFree:").value_or(0)) * kKib}
             : std::nullopt;
}

// The free part of one group's limit. The page cache does not count, since the kernel gives it
// back.
std::optional<std::uint64_t> left_in(const std::string& group) {
  const auto limit = number_after(read_text(group + "/memory.max"), "");
  if (!limit) {
    return std::nullopt;  // "max", or no such file
  }
  const std::uint64_t used = number_after(read_text(group + "/memory.stat"), "anon ").value_or(0);
  return *limit - std::min(*limit, used);
}

// The least that this process's control groups (cgroups(7), version 2) leave it.
std::optional<std::uint64_t> left_in_groups() {
  const std::string text = read_text("/proc/self/cgroup");
  constexpr std::string_view kOwn = "0::";
  if (text.rfind(kOwn, 0) != 0) {
    return std::nullopt;
  }
  std::string group = text.substr(kOwn.size(), text.find('\n') - kOwn.size());
  std::optional<std::uint64_t> least;
  for (;;) {
    if (const auto left = left_in("/sys/fs/cgroup" + group)) {
      least = std::min(least.value_or(*left), *left);
    }
    const std::size_t slash = group.rfind('/');
    if (group.empty() || slash == std::string::npos) {
      return least;
    }
    group.resize(slash);
  }
}

}  // namespace

void bound_memory() {
  if constexpr (kSanitized) {
    return;
  }
  const auto machine = left_on_machine();
  const auto groups = left_in_groups();
  if (!machine && !groups) {
    return;
  }
  const std::uint64_t left = std::min(machine.value_or(UINT64_MAX), groups.value_or(UINT64_MAX));
  // The rest is for what is no data: tables of pages, stacks, and what the kernel keeps for it.
  constexpr std::uint64_t kShare = 8;
  bound_data(std::max(kLeast, left - left / kShare));
}

}  // namespace shadow::sys
