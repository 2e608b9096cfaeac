// SPDX-License-Identifier: MIT
// Numbers in lines that a program wrote.

#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace shadow {

// Reads decimal numbers, with or without blanks before each, and returns the text after the last of
// them; nullopt where one is missing or does not fit its type. (scanf's behaviour is undefined
// then.)
template <typename... Number>
[[nodiscard]] std::optional<std::string_view> read_numbers(std::string_view text,
                                                           Number&... numbers) {
  const auto read = [&text](auto& number) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, number);
    text = std::string_view{result.ptr, static_cast<std::size_t>(end - result.ptr)};
    return result.ec == std::errc{};
  };
  return (read(numbers) && ...) ? std::optional{text} : std::nullopt;
}

}  // namespace shadow
