// SPDX-License-Identifier: MIT
// The text of a commit or tag that its line in a list does not show: all of it goes into the
// history. Read from the object's bytes, which a confined child handed out: libgit2 parses what a
// run wrote only in there.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::commits {

// The lines of a commit or tag that its head does not show. For a commit: its committer if that is
// not the author, rare headers (an encoding, a signature), and the message without its first
// paragraph; for a tag: its own name, its tagger and the whole message. Raw bytes without line
// ends; the lines of a message are indented and follow an empty one. Pure.
[[nodiscard]] std::vector<std::string> lines_beside_head(std::string_view object);

// The id of the tag that the object, a tag, is one of. Pure.
[[nodiscard]] std::optional<std::string> tag_within(std::string_view object);

}  // namespace shadow::commits
