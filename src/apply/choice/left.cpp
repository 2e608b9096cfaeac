// SPDX-License-Identifier: MIT
// What is told of the changes that an apply leaves in the session.
#include "apply/choice/choice.hpp"

namespace shadow::apply {

std::vector<std::string> staying_paths(const ChosenChanges& chosen) {
  std::vector<std::string> paths;
  for (const LeftItem& left : chosen.left) {
    if (left.because != LeftBecause::GitDir) {
      paths.push_back(left.item.change.path);
    }
  }
  return paths;
}

const char* to_word(LeftBecause because) {
  switch (because) {
    case LeftBecause::Ignored:
      return "ignored";
    case LeftBecause::Sensitive:
      return "sensitive";
    case LeftBecause::GitDir:
      return "git-dir";
    case LeftBecause::NotEmpty:
      return "not-empty";
    case LeftBecause::Device:
      return "device";
    case LeftBecause::Conflict:
      break;
  }
  return "conflict";
}

}  // namespace shadow::apply
