// SPDX-License-Identifier: MIT
// The directories of a home in which names are known, and copies of such directories.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sandbox {

// True if a name is a left-over or a copy of a known one: "x~", "x.bak", "x-old", ".x.swp", "#x#",
// "x.bak.json" of "x.json", and everything else that begins with a known name and has no letter or
// digit after it, or nothing but digits ("config.json1234", which docker is writing). So are other
// channels of the same program ("google-chrome-beta"). `is_known` is asked for names in the same
// directory.
[[nodiscard]] bool is_left_over(std::string_view name,
                                const std::function<bool(std::string_view)>& is_known);

using SortedNames = std::vector<std::string_view>;

[[nodiscard]] bool has_name(const SortedNames& names, std::string_view name);

class KnownPlaces {
 public:
  // Paths relative to the home, borrowed.
  explicit KnownPlaces(const std::vector<std::string_view>& paths);

  // The names in a directory that are known ones.
  [[nodiscard]] const SortedNames& names_of(std::string_view directory) const;

  // Every directory that has known names of its own, sorted.
  [[nodiscard]] std::vector<std::string> directories() const;

  // The known directory that one is a copy of, or lies in a copy of at the same place:
  // ".claude-work" and ".claude2" of ".claude", ".config.bak/gh" of ".config/gh". A second login of
  // a program is made in such a one. The directory itself if it is no copy.
  [[nodiscard]] std::string original_of(std::string_view directory) const;
  [[nodiscard]] bool is_copy(std::string_view directory) const;

 private:
  [[nodiscard]] bool is_way(std::string_view directory) const;
  [[nodiscard]] std::string copied_from(const std::string& parent, std::string_view name) const;

  std::map<std::string_view, SortedNames, std::less<>> names_;  // by directory
};

}  // namespace shadow::sandbox
