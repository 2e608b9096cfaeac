// SPDX-License-Identifier: MIT
// What was in a project's directories when a session began, listed before the user can have changed
// much.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace shadow::bases {

class EarlyNames {
 public:
  using Names = std::set<std::string>;

  // Lists a directory below `root`, unless something may have come into it or gone from it since
  // the base time, it cannot be read, or there would be too many names.
  void list(int root, const std::string& directory, std::int64_t base_time_ns);

  // The names that this very directory had; null if it was not listed.
  [[nodiscard]] const Names* find(const std::string& directory, std::uint64_t ino) const;

  // True if a directory above was listed and had nothing on the way to the path.
  [[nodiscard]] bool lacked(std::string_view path) const;

 private:
  struct Listed {
    std::uint64_t ino = 0;
    Names names;
  };

  std::map<std::string, Listed, std::less<>> listed_;
  std::size_t names_ = 0;  // in all of them
};

}  // namespace shadow::bases
