// SPDX-License-Identifier: MIT
// A pair of an upper and a lower in a scratch directory, and what the overlay room says of it.

#pragma once

#include "shadow/change.hpp"

#include "overlay/read/scan.hpp"
#include "overlay/read/view.hpp"
#include "support/scratch.hpp"
#include "support/tree.hpp"
#include "sys/files/fd.hpp"

#include <string>

namespace shadow::test {

class Layers {
 public:
  Layers(const Tree& lower, const Tree& upper);

  [[nodiscard]] int upper() const { return upper_.get(); }
  [[nodiscard]] int lower() const { return lower_.get(); }
  [[nodiscard]] std::string upper_path() const { return scratch_ / "upper"; }
  [[nodiscard]] std::string lower_path() const { return scratch_ / "lower"; }
  [[nodiscard]] shadow::overlay::View view() const { return {upper(), lower()}; }

  // The change set as text, see to_text.
  [[nodiscard]] std::string scan() const;

 private:
  Scratch scratch_;
  shadow::sys::Fd upper_;
  shadow::sys::Fd lower_;
};

// A line a change: git's letter, the path, of a modification what differs (c m x), the path that it
// is a hard link to. "M a/b cm = c".
[[nodiscard]] std::string to_text(const shadow::ChangeSet& set);

}  // namespace shadow::test
