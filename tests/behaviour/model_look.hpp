// SPDX-License-Identifier: MIT
// What is in the working directory, as who acts in the model's rounds sees it: the project itself
// or a view of it.

#pragma once

#include <map>
#include <string>
#include <system_error>
#include <vector>

#include <sys/types.h>

namespace model {

using Paths = std::vector<std::string>;

// A file or a link: its text or where it leads.
struct Fact {
  bool link = false;
  mode_t mode = 0;
  std::string text;

  friend bool operator==(const Fact&, const Fact&) = default;
};

using Facts = std::map<std::string, Fact>;

// A directory of a live view tells no names for a moment, not even its own, when the project's has
// just gone. What the session has in it can be read and written all the same, by who knows its
// name.
enum class Sight { Listed, Known };

// All files and links but git's own; with Sight::Known also what the rounds may have where no names
// are told.
[[nodiscard]] Facts look(Sight sight);

// Throws std::system_error of errno about the path unless it was done.
void check(bool done, const std::string& path);

// A live view may not know yet what has gone, and shows what is in its place a moment later. The
// kernel says ESTALE where that was looked up by its name before.
[[nodiscard]] bool is_gone(const std::system_error& error);

// S_IFMT's bits; 0 if nothing is there.
[[nodiscard]] mode_t kind_of(const std::string& path);

// The others, of what a link leads to.
[[nodiscard]] mode_t mode_of(const std::string& path);

// Empty for what is in the working directory itself.
[[nodiscard]] std::string parent_of(const std::string& path);

[[nodiscard]] std::string read_text(const std::string& path);

// Sorted; the working directory's by an empty path.
[[nodiscard]] Paths names_in(const std::string& directory);

}  // namespace model
