// SPDX-License-Identifier: MIT
#include "cli/render/paint.hpp"

namespace shadow::cli {

std::string painted(Paint paint, std::string_view text, bool color) {
  std::string_view code;
  switch (paint) {
    case Paint::Plain:
      break;
    case Paint::Bold:
      code = "\x1b[1m";
      break;
    case Paint::Red:
      code = "\x1b[31m";
      break;
    case Paint::Green:
      code = "\x1b[32m";
      break;
    case Paint::Yellow:
      code = "\x1b[33m";
      break;
    case Paint::Cyan:
      code = "\x1b[36m";
      break;
    case Paint::Magenta:
      code = "\x1b[35m";
      break;
  }
  if (!color || code.empty()) {
    return std::string{text};
  }
  // The line's end stays outside, so that a colour never reaches into the next line.
  const bool line = !text.empty() && text.back() == '\n';
  const std::string_view body = line ? text.substr(0, text.size() - 1) : text;
  return std::string{code} + std::string{body} + "\x1b[m" + (line ? "\n" : "");
}

Paint paint_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Added:
      return Paint::Green;
    case ChangeKind::Deleted:
      return Paint::Red;
    case ChangeKind::Modified:
      return Paint::Yellow;
    case ChangeKind::TypeChanged:
      break;
  }
  return Paint::Magenta;
}

Paint paint_of(PatchPart part) {
  switch (part) {
    case PatchPart::FileHeader:
      return Paint::Bold;
    case PatchPart::HunkHeader:
      return Paint::Cyan;
    case PatchPart::Added:
      return Paint::Green;
    case PatchPart::Removed:
      return Paint::Red;
    case PatchPart::Context:
    case PatchPart::Note:
    case PatchPart::Binary:
      break;
  }
  return Paint::Plain;
}

}  // namespace shadow::cli
