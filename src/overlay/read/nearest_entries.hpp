// SPDX-License-Identifier: MIT
// The entries of an upper that decide about paths: their own, or the nearest above.

#pragma once

#include "shadow/change.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace shadow::overlay {

class NearestEntries {
 public:
  struct Found {
    std::string path;  // "" is the root
    Entry entry;
  };

  // Borrows the upper's descriptor.
  explicit NearestEntries(int upper) : upper_{upper} {}

  // That of a path. Below what is missing, or no directory, nothing is looked for: a deletion may
  // be thousands deep. Throws SysError naming the path.
  [[nodiscard]] Found look(std::string_view path) const;

  // That of a directory, or of what is in its place; looked for once.
  [[nodiscard]] const Found& above(std::string_view directory) const;

 private:
  int upper_;
  mutable std::map<std::string, Found, std::less<>> known_;
};

}  // namespace shadow::overlay
