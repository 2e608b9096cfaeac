// SPDX-License-Identifier: MIT
// Standard output, with its failures noticed: a full disk is an error, a reader that went away
// (`shadow diff | head`) ends the command without a word.

#pragma once

#include <cstdio>
#include <exception>
#include <string_view>

namespace shadow::cli {

// Thrown when the reader of our output has closed it. Not an Error: nothing went wrong.
class ReaderGone : public std::exception {};

// The status that a shell reports for a program that SIGPIPE ended.
inline constexpr int kReaderGoneStatus = 141;

class Output {
 public:
  explicit Output(std::FILE* file = stdout) : file_{file} {}

  // Both throw ReaderGone or SysError.
  void write(std::string_view bytes);
  void flush();

  [[nodiscard]] bool begun() const { return begun_; }

 private:
  std::FILE* file_;
  bool begun_ = false;
};

}  // namespace shadow::cli
