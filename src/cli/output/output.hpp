// SPDX-License-Identifier: MIT
// Standard output, with its failures noticed: a full disk is an error, a reader that went away
// (`shadow diff | head`) ends the command without a word.

#pragma once

#include <cstdio>
#include <exception>
#include <string>
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

  // From now on the first 64 KiB stay here until there are more or until flush().
  void hold() { holds_ = true; }
  // Drops what stayed here; false if something has been written to the file.
  bool take_back();

  // True if the file has some of it, or will have.
  [[nodiscard]] bool begun() const { return begun_ || !held_.empty(); }

 private:
  void pass_on(std::string_view bytes);

  std::FILE* file_;
  bool begun_ = false;
  bool holds_ = false;
  std::string held_;
};

}  // namespace shadow::cli
