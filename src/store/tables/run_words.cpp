// SPDX-License-Identifier: MIT
#include "store/tables/run_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow {
namespace {

constexpr std::array kEndings{"", "timeout", "terminated", "memory", "killed", "not started"};
constexpr std::array kEffects{"written", "deleted"};

template <typename Value, std::size_t count>
Value value_of(const std::array<const char*, count>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? Value{} : static_cast<Value>(found - words.begin());
}

}  // namespace

std::string_view name_of(RunEnding ending) {
  return kEndings.at(static_cast<std::size_t>(ending));
}

std::string_view name_of(RunEffect effect) {
  return kEffects.at(static_cast<std::size_t>(effect));
}

namespace store {

RunEnding run_ending_of(std::string_view word) {
  return value_of<RunEnding>(kEndings, word);
}

RunEffect run_effect_of(std::string_view word) {
  return value_of<RunEffect>(kEffects, word);
}

}  // namespace store
}  // namespace shadow
