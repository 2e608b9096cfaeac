// SPDX-License-Identifier: MIT
// Keys of YAML, NEON, JSON and TOML with what follows them, line by line. No linked library reads
// YAML or NEON, and what one refuses another obeys: all counts that any reader may take for a key.
// Pure.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace shadow::sensitive {

// Where a backslash is one of a key, which may be any then: wherever it stands, or, in a file with
// regular expressions, in what looks like a key.
enum class Backslashes : std::uint8_t { OfKeys, OfValues };

// These keys, in small letters, with what follows up to the next one. What may be any key to YAML
// counts as one of them: an alias, a merge, what stands behind a question mark or has escapes. All
// of the text counts where a value of theirs is an alias.
[[nodiscard]] std::string lists_of_keys(std::string_view text,
                                        std::span<const std::string_view> keys,
                                        Backslashes backslashes);

}  // namespace shadow::sensitive
