// SPDX-License-Identifier: MIT
// Settings that go on in files of other names, each of which counts as the first one does. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

struct Chain {
  std::vector<std::string> (*names_in)(std::string_view text);
  std::string_view alias;   // the name by whose part the next one counts; empty: all of it counts
  std::string_view inside;  // of a directory that is named, the file that goes on
};

// That of a file of this name, which is folded; nullptr for others.
[[nodiscard]] const Chain* find_chain(std::string_view name);

}  // namespace shadow::sensitive
