// SPDX-License-Identifier: MIT
// The one family of exceptions. Everything the library throws on purpose derives from `Error`;
// `cli` turns it into a sentence, a hint and an exit status, and nobody else prints.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace shadow {

// Exit statuses of the program; scripts and agents branch on them. See shadow(1), EXIT STATUS.
enum class ExitCode : std::uint8_t {
  Ok = 0,
  No = 1,            // an answer, not a failure: there are differences, there is nothing to do
  Trouble = 2,       // the command could not do its job, or was not understood
  Conflict = 3,      // project and session changed the same thing; nothing was written
  Refused = 4,       // a flag or a later try is needed: live session, sensitive change, busy lock
  NotStarted = 125,  // `run`: shadow failed and the command was not started
  NotExecutable = 126,  // `run`: the command cannot be executed, as a shell has it
  NotFound = 127        // `run`: there is no such command
};

// A failure with a sentence for the person who reads it: lower case, no full stop, what failed
// first. `hint` says what to do next and is printed on a line of its own; `paths` names the files
// concerned, for --json.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::string hint = {},
                 ExitCode code = ExitCode::Trouble, std::vector<std::string> paths = {})
      : std::runtime_error{message},
        hint_{std::move(hint)},
        paths_{std::move(paths)},
        code_{code} {}

  [[nodiscard]] const std::string& hint() const { return hint_; }
  [[nodiscard]] ExitCode code() const { return code_; }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::string hint_;
  std::vector<std::string> paths_;
  ExitCode code_;
};

// A system call failed. `what` completes "cannot ..."; the message ends in what errno says.
class SysError : public Error {
 public:
  SysError(int errno_value, const std::string& what, std::string hint = {});

  [[nodiscard]] int errno_value() const { return errno_value_; }

 private:
  int errno_value_;
};

// Throws SysError with the current errno. `what` completes "cannot ...".
[[noreturn]] void throw_errno(const std::string& what);

// A file was rewritten between two looks at it; the same command tried again may succeed.
class StaleError : public Error {
 public:
  explicit StaleError(const std::string& message, std::string hint = {},
                      ExitCode code = ExitCode::Refused, std::vector<std::string> paths = {})
      : Error{message, std::move(hint), code, std::move(paths)} {}
};

// The content to be written differs from what a person was shown. A caller that knows when adds
// that.
class UnseenError : public Error {
 public:
  using Error::Error;
};

}  // namespace shadow
