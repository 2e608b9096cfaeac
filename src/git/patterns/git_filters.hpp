// SPDX-License-Identifier: MIT
// Which files of a work tree git may have converted on their way out of the object store in a way
// that their size does not tell: those for which an attributes file names a filter, an encoding or
// `ident`. (Line ends change the size whenever they change anything.) Answers "maybe" when in
// doubt. Configurations are read as text here: libgit2 reads an include only if its condition
// holds, and another work tree may meet it.

#pragma once

#include "git/patterns/ignore_pattern.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

class FilterRules {
 public:
  // The text of an attributes file that rules in `directory` ("": the work tree's root) and below.
  void add(const std::string& directory, std::string_view text);

  // Everything in the directory may be converted: its attributes are not known.
  void add_unknown(const std::string& directory);

  // For a walk in order: forgets the rules of directories that the path does not lie in.
  void leave_for(std::string_view path);

  [[nodiscard]] bool may_convert(std::string_view path) const;

 private:
  struct Rules {
    std::string directory;
    bool everything = false;
    std::vector<IgnorePattern> patterns;
  };
  std::vector<Rules> rules_;  // the deepest directory last
};

// The attributes files outside of the work tree: the repository's own, the user's, the machine's.
// If a configuration names another attributes file, any file may be converted.
void add_outside_rules(const std::string& git_dir, const std::string& common_dir,
                       FilterRules& rules);

}  // namespace shadow::git
