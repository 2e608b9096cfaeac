// SPDX-License-Identifier: MIT
// Parts of changes, which a person takes or leaves one by one.

#pragma once

#include "shadow/hunk.hpp"
#include "shadow/review.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace shadow {

// The subject of one question: a change, with those that cannot go without it.
struct OfferedChange {
  ReviewItem item;

  // The changes that go with it: everything below a path that changes from or to a directory, and
  // the inside of a new git directory.
  std::vector<ReviewItem> with;
};

// What of a change a part is.
enum class PartKind : std::uint8_t {
  Mode,        // the permission bits of a file
  Attributes,  // its user.* attributes
  Hunk,        // some of its lines
  Addition,    // of a whole path
  Deletion,    // likewise
  Whole        // all else: binary content, a link's target, a change of type
};

// The answer to one question.
enum class Decision : std::uint8_t { Undecided, Taken, Refused };

// One question, and what was answered.
struct Part {
  PartKind kind = PartKind::Whole;
  Decision decision = Decision::Undecided;
  bool edited = false;  // the hunk is not what the session has
  bool seen = false;    // it was shown
  Hunk hunk;            // of a part of that kind
};

// The use of the parts that are taken.
enum class PickFor : std::uint8_t {
  Apply,   // they are applied to the real text
  Discard  // they are undone in the session's text
};

// A hunk that was written by write_hunk() and edited. Lines that begin with '#' and the "@@" line
// are left out, an empty line is an empty line of context. nullopt when no change is left. `text`
// is that of the hunk's offer (workspace::Parts::of). Throws workspace::Failure (Invalid) when it
// is no hunk, or no longer fits the text.
[[nodiscard]] std::optional<Hunk> edited_hunk(const Hunk& hunk, std::string_view edited,
                                              PickFor what, std::string_view text);

// An offer, by its place in the list, with its parts as they were decided about.
struct DecidedParts {
  std::size_t offer = 0;
  std::vector<Part> parts;
};

}  // namespace shadow
