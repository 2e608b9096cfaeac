// SPDX-License-Identifier: MIT
// Hunks of two texts: split, written down, edited, carried out and undone.

#include "review/hunks.hpp"

#include "shadow/error.hpp"

#include "fuzz/target.hpp"

#include <algorithm>
#include <string>

namespace {

using shadow::Hunk;
using shadow::review::EditedSide;

std::string written(const Hunk& hunk) {
  std::string text;
  shadow::write_hunk(hunk, [&text](shadow::PatchPart, std::string_view piece) { text += piece; });
  return text;
}

std::vector<Hunk> all_split(const std::vector<Hunk>& hunks) {
  std::vector<Hunk> pieces;
  for (const Hunk& hunk : hunks) {
    for (Hunk& piece : shadow::split_hunk(hunk)) {
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

void edit(const Hunk& hunk, std::string_view text, std::string_view edited, EditedSide side) {
  try {
    if (const auto result = shadow::review::edit_hunk(hunk, edited, side)) {
      (void)shadow::review::apply_hunks(
          text, {side == EditedSide::Before ? *result : shadow::review::reversed(*result)});
    }
  } catch (const shadow::Error&) {
    return;  // no hunk, or one of another text
  }
}

}  // namespace

// The two texts, and what somebody's editor made of the first hunk, between bytes 0xff.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const std::size_t first = std::min(bytes.find('\xff'), bytes.size());
  const std::string_view before = bytes.substr(0, first);
  const std::string_view rest = bytes.substr(std::min(first + 1, bytes.size()));
  const std::size_t second = std::min(rest.find('\xff'), rest.size());
  const std::string_view after = rest.substr(0, second);
  const std::string_view edited = rest.substr(std::min(second + 1, rest.size()));
  const auto hunks = shadow::review::find_hunks(before, after, static_cast<unsigned>(size % 5));
  if (!hunks) {
    return 0;
  }
  fuzz::require(shadow::review::apply_hunks(before, *hunks) == after,
                "the hunks lead to the other text");
  const std::vector<Hunk> pieces = all_split(*hunks);
  fuzz::require(shadow::review::apply_hunks(before, pieces) == after, "the pieces lead there too");
  std::vector<Hunk> undone = pieces;
  std::transform(undone.begin(), undone.end(), undone.begin(), shadow::review::reversed);
  fuzz::require(shadow::review::apply_hunks(after, undone) == before, "undone, they lead back");
  for (const Hunk& hunk : pieces) {
    (void)shadow::review::apply_hunks(before, {hunk});
    const auto read = shadow::review::edit_hunk(hunk, written(hunk), EditedSide::Before);
    fuzz::require(read && shadow::review::apply_hunks(before, {*read}) ==
                              shadow::review::apply_hunks(before, {hunk}),
                  "a hunk that nobody edited is the same");
    edit(hunk, before, edited, EditedSide::Before);
    edit(hunk, after, edited, EditedSide::After);
  }
  return 0;
}
