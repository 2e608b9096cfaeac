// SPDX-License-Identifier: MIT
// Asking for each part of a change whether to take it, with the keys of `git add -p`. What is
// printed and where answers come from is the asker's.

#pragma once

#include "shadow/parts.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// The question that is open. `keys` are those that make sense now, "ynqadjJg/se?".
struct PartQuestion {
  const OfferedChange& offer;
  const std::vector<Part>& parts;
  std::size_t at;
  std::string keys;
};

struct PartAsker {
  // Shows the part that the question is about.
  std::function<void(const PartQuestion& question)> show;
  // Asks; the line that was answered, nullopt at the end of input.
  std::function<std::optional<std::string>(const PartQuestion& question)> ask;
  // Asks for something else: "go to which hunk?".
  std::function<std::optional<std::string>(const std::string& text)> ask_more;
  std::function<void(const std::string& line)> say;
  std::function<void(const PartQuestion& question)> help;
  // Shows all parts in a line each.
  std::function<void(const PartQuestion& question)> list;
  // The hunk as a person edited it, starting from `text`; nullopt when that failed.
  std::function<std::optional<std::string>(const std::string& text)> edit;
};

enum class Onward : std::uint8_t { NextOffer, Quit };

// Asks until no part is undecided, or the person quits: what is undecided then is refused. `text`
// is what edited hunks must fit: the real text for Apply, the session's for Discard.
Onward ask_parts(const OfferedChange& offer, std::vector<Part>& parts, std::string_view text,
                 PickFor what, const PartAsker& asker);

}  // namespace shadow::cli
