// SPDX-License-Identifier: MIT
// Making hunks, and putting them into a text. Here: git_apply crashes on valid patches
// (libgit2/libgit2#6654) and follows links.

#pragma once

#include "shadow/hunk.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::review {

// A file that can be executed is text unless it is known to be something else.
enum class Executable : std::uint8_t { No, Yes };

// The hunks that turn `before` into `after`, in order; nullopt when one of them is not text.
[[nodiscard]] std::optional<std::vector<Hunk>> find_hunks(std::string_view before,
                                                          std::string_view after,
                                                          unsigned context_lines = 3,
                                                          Executable executable = Executable::No);

// The hunk that undoes it.
[[nodiscard]] Hunk reversed(Hunk hunk);

// `text` with these of its hunks (made from it by find_hunks, split_hunk or edit_hunk) applied, in
// any order. What is left when hunks are taken out of a change is apply_hunks(after,
// {reversed(hunk), ...}). Throws Error when a hunk does not fit.
[[nodiscard]] std::string apply_hunks(std::string_view text, std::vector<Hunk> hunks);

// Which text an edited hunk must still fit.
enum class EditedSide : std::uint8_t {
  Before,  // ' ' and '-' lines stay: the hunk will be applied
  After    // ' ' and '+' lines stay: the hunk will be undone
};

// Reads back a hunk that was written by write_hunk and edited. Lines that begin with '#' and the
// "@@" line are left out, an empty line is an empty line of context. nullopt when no change is
// left. Throws Error when it is no hunk, or no longer fits the text on `side`.
[[nodiscard]] std::optional<Hunk> edit_hunk(const Hunk& hunk, std::string_view edited,
                                            EditedSide side);

}  // namespace shadow::review
