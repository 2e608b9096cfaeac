// SPDX-License-Identifier: MIT
#include "sys/processes/environ_with.hpp"

#include <string_view>

#include <unistd.h>

namespace shadow::sys {

EnvironWith::EnvironWith(const std::string& name, const std::string& value) {
  const std::string start = name + "=";
  for (char* const* word = environ; word != nullptr && *word != nullptr; ++word) {
    if (!std::string_view{*word}.starts_with(start)) {
      words_.emplace_back(*word);
    }
  }
  words_.push_back(start + value);
  pointers_.reserve(words_.size() + 1);
  for (std::string& word : words_) {
    pointers_.push_back(word.data());
  }
  pointers_.push_back(nullptr);
}

}  // namespace shadow::sys
