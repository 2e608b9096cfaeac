// SPDX-License-Identifier: MIT
#include "support/layers.hpp"

#include "base/text.hpp"

namespace shadow::test {

Layers::Layers(const Tree& lower, const Tree& upper) {
  build(lower_path(), lower);
  build(upper_path(), upper);
  upper_ = open_dir(upper_path());
  lower_ = open_dir(lower_path());
}

std::string Layers::scan() const {
  return to_text(shadow::overlay::scan(upper(), lower()));
}

std::string to_text(const shadow::ChangeSet& set) {
  std::string text;
  for (const shadow::Change& change : set.changes) {
    text += shadow::to_letter(change.kind);
    text += ' ' + shadow::printable(change.path);
    if (change.kind == shadow::ChangeKind::Modified) {
      text += ' ';
      text += change.content_changed ? "c" : "";
      text += change.mode_changed ? "m" : "";
      text += change.xattrs_changed ? "x" : "";
    }
    if (!change.link_to.empty()) {
      text += " = " + shadow::printable(change.link_to.str());
    }
    text += '\n';
  }
  return text;
}

}  // namespace shadow::test
