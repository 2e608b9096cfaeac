// SPDX-License-Identifier: MIT
#include "shadow/change.hpp"

namespace shadow {

const char* to_word(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Added:
      return "added";
    case ChangeKind::Deleted:
      return "deleted";
    case ChangeKind::Modified:
      return "modified";
    case ChangeKind::TypeChanged:
      break;
  }
  return "type changed";
}

char to_letter(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Added:
      return 'A';
    case ChangeKind::Deleted:
      return 'D';
    case ChangeKind::Modified:
      return 'M';
    case ChangeKind::TypeChanged:
      break;
  }
  return 'T';
}

}  // namespace shadow
