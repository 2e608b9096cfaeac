// SPDX-License-Identifier: MIT
// The text of a git configuration or a `.gitmodules`, read by the grammar of git's own config.c.
// Not by libgit2, which opens the files that a configuration includes: this text may be a
// session's, and nothing is to be opened because of it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

// `[section "sub"] key = value`. Section and key are in small letters; a key without '=' has no
// value.
struct GitConfigEntry {
  std::string section;
  std::optional<std::string> subsection;
  std::string key;
  std::optional<std::string> value;
};

struct GitConfigText {
  std::vector<GitConfigEntry> entries;
  bool whole = true;  // false: git gives up after the last of the entries
};

[[nodiscard]] GitConfigText parse_git_config_text(std::string_view text);

}  // namespace shadow
