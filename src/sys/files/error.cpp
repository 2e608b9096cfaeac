// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include <cctype>
#include <cerrno>
#include <system_error>

namespace shadow {
namespace {

// strerror in the form of our messages: lower case at the front, "I/O" kept.
std::string reason(int errno_value) {
  std::string text = std::generic_category().message(errno_value);
  const bool abbreviation =
      text.size() > 1 && std::isupper(static_cast<unsigned char>(text[0])) != 0 &&
      std::islower(static_cast<unsigned char>(text[1])) == 0 && text[1] != ' ';
  if (!text.empty() && !abbreviation) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

}  // namespace

SysError::SysError(int errno_value, const std::string& what, std::string hint)
    : Error{"cannot " + what + ": " + reason(errno_value), std::move(hint)},
      errno_value_{errno_value} {
}

void throw_errno(const std::string& what) {
  throw SysError{errno, what};
}

}  // namespace shadow
