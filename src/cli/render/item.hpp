// SPDX-License-Identifier: MIT
// One reviewed change, in each of the forms that commands print.

#pragma once

#include "shadow/review.hpp"

#include "cli/render/json.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace shadow::cli {

// The path for people: as seen from the directory `from` of the project, escaped, with a '/' behind
// a directory's.
[[nodiscard]] std::string shown_path(const Change& change, std::string_view from = {});

// True if somebody else changed the path as well, so that an apply has to merge or to stop.
[[nodiscard]] bool both_changed(const ReviewItem& item);

// True for the two modes that git's patch can show.
[[nodiscard]] bool is_shown_by_patch(std::uint32_t mode);

// Remarks beside the path: "conflict: ...", "sensitive: ...", "mode 755"; empty if there are none.
[[nodiscard]] std::string remarks(const ReviewItem& item, std::string_view from = {});

// "its setuid bit, its capabilities": what of the session's entry never comes to the project; empty
// when nothing.
[[nodiscard]] std::string left_out(const Change& change);

// Changes of permissions that git's patches cannot show: "mode 644 became 600; ACL changed".
[[nodiscard]] std::string rights_beyond_patch(const ReviewItem& item);

// The rights that others get by it, than its owner and those who have them already: "mode 666, for
// everybody to write". Who may read a file may execute it without a word, as in git. Empty for
// most.
[[nodiscard]] std::string rights_given(const ReviewItem& item);

// "3 names in d/d/..., deeper than a path can say"; empty when there is none.
[[nodiscard]] std::string too_deep_text(const TooDeep& too_deep, std::string_view from = {});
[[nodiscard]] Json too_deep_json(const TooDeep& too_deep);

// The line of --porcelain without its end: three columns and a blank, then the path.
//   1  A D M T
//   2  '.', in a conflict what became of the real path (C changed, A appeared, V vanished), or M
//      where both changed it and the two changes can be merged. What depends on `conflict` has the
//      letter of that.
//   3  '.', or S sensitive
[[nodiscard]] std::string porcelain_columns(const ReviewItem& item, const ReviewItem* conflict);

// The second of them.
[[nodiscard]] char both_changed_column(Verdict verdict, Drift drift);

[[nodiscard]] Json to_json(const ReviewItem& item);

// What the project has to do with the change: "drift", "resolution" and so on.
void add_other_side(Json& record, const ReviewItem& item);

}  // namespace shadow::cli
