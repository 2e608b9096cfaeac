// SPDX-License-Identifier: MIT
// Names of the project that changed, until a view shows what they are by now.

#pragma once

#include <set>
#include <string>
#include <vector>

namespace shadow::follow {

// True if the upper has the path, or something above it that shows nothing of the project's: a
// directory of its own, a file, or a deletion.
[[nodiscard]] bool hides(int upper, const std::string& path);

class UnseenNames {
 public:
  // Borrows the descriptors of both layers.
  UnseenNames(int upper, int lower) : upper_{upper}, lower_{lower} {}

  void add(const std::vector<std::string>& names) { names_.insert(names.begin(), names.end()); }

  // The same, up to a number that is checked in no time.
  void add_some(const std::vector<std::string>& names);

  [[nodiscard]] bool none() const { return names_.empty(); }

  // Forgets those that the merged view, by its root, shows as they are, and those that the session
  // hides.
  void forget_seen(int view);

 private:
  [[nodiscard]] bool is_seen(int view, const std::string& name) const;

  int upper_;
  int lower_;
  std::set<std::string> names_;
};

}  // namespace shadow::follow
