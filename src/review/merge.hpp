// SPDX-License-Identifier: MIT
// Three-way merge of one text.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::review {

struct MergeLabels {
  std::string ours = "project";
  std::string base = "base";
  std::string theirs = "session";
};

struct MergeResult {
  enum class Outcome : std::uint8_t {
    Clean,     // `text` is the merge
    Conflict,  // `text` holds conflict markers
    Binary     // a side is not text; `text` is empty
  };
  Outcome outcome = Outcome::Clean;
  std::string text;
};

// Merges the two changes of `base` with libgit2's merge-file. No configuration is read.
[[nodiscard]] MergeResult merge_text(std::string_view base, std::string_view ours,
                                     std::string_view theirs, const MergeLabels& labels);

}  // namespace shadow::review
