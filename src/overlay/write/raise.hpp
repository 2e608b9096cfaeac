// SPDX-License-Identifier: MIT
// Putting entries into an upper from outside, as a copy-up by the kernel would. Only while no mount
// uses the upper.

#pragma once

#include "shadow/entry.hpp"

#include "overlay/write/rewrite.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace shadow::overlay {

// Content and mode that a raised file gets instead of the lower's.
struct OtherContent {
  int fd = -1;
  std::uint32_t mode = 0;
};

class Raiser {
 public:
  // Borrows all descriptors.
  Raiser(const Rewritable& layer, int lower) : layer_{layer}, lower_{lower} {}

  // Makes the upper say what the lower has at `path`: a copy of its entry, or a whiteout where
  // there is none. Each entry appears whole; the view does not change (but for `other`). False when
  // the upper decides about the path already, by an entry or by a directory above it.
  bool copy_up(const std::string& path, const std::optional<OtherContent>& other = std::nullopt);

  // Moves the entry at `path` of another upper on the same filesystem here, where this one has
  // none. False as above.
  bool move_in(int from, const std::string& path);

 private:
  enum class How : std::uint8_t { Copy, Move };
  bool put(int from, How how, const std::string& path, const std::optional<OtherContent>& other);
  [[nodiscard]] std::optional<sys::Fd> parent_of(int from, const std::string& path);
  bool link_to_known(const Entry& entry, int dir, const std::string& name) const;
  void stage_file(int from_dir, const std::string& name,
                  const std::optional<OtherContent>& other) const;
  void stage_node(const Entry& entry, int from_dir, const std::string& name) const;
  void place(int dir, const std::string& name) const;

  Rewritable layer_;
  int lower_;
  std::string walked_;  // directories that the upper merges with the lower, down to this one
  std::map<std::uint64_t, std::string> linked_;  // inodes with several names, to one that is there
};

}  // namespace shadow::overlay
