// SPDX-License-Identifier: MIT
// The real paths of a home's secrets: its directories and files are often links into a directory of
// dotfiles, which may be in the home or not.

#pragma once

#include <string>
#include <vector>

namespace shadow::sandbox {

// All the paths of one secret: as it is named, its directory's real path, its own real path.
struct SecretPaths {
  std::string name;                  // relative to the home
  std::vector<std::string> in_home;  // relative to the home; `name` is one when no link leads to it
  std::vector<std::string> elsewhere;  // absolute
  bool directory_exists = false;       // else nothing can be masked yet
};

// Looks at the names on disk, following links: the home is the user's own. A few calls for each
// secret whose directory exists, none below a directory that does not.
[[nodiscard]] std::vector<SecretPaths> find_secrets(const std::string& home,
                                                    const std::vector<std::string>& secrets);

}  // namespace shadow::sandbox
