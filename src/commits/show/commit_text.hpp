// SPDX-License-Identifier: MIT
// The text of a commit or tag beside what a line on it says: all of it goes into the history.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::commits {

// Of a commit: its committer where that is not the author, headers that few commits have (an
// encoding, a signature), and the message without its first paragraph; of a tag: its tagger and the
// whole message. Lines without line ends, as raw bytes; a message's are indented, and an empty one
// stands before them. Pure.
[[nodiscard]] std::vector<std::string> lines_beside_head(std::string_view object);

}  // namespace shadow::commits
