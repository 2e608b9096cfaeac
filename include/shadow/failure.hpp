// SPDX-License-Identifier: MIT
// The exception of libshadow's calls (workspace.hpp).

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace shadow::workspace {

// The kind of a failure, for programs that decide by it. Whatever the kind, a call that was to
// write the project has left it unchanged, unless Failure::written() says otherwise.
enum class Kind : std::uint8_t {
  NoSession,   // project and agent have none: nothing was run there yet
  Nothing,     // an answer: no change at these paths, no apply to take back
  Conflict,    // project and session changed the same thing in ways that do not go together
  Sensitive,   // it would act on the user's side without being asked to, and was not allowed
  Unseen,      // not what patch(), or the command line, showed last
  Stale,       // a file was written while it was read; the same call tried again may succeed
  Busy,        // the session is live, or another command is at work: later, or when its runs ended
  NotStarted,  // the program `shadow` could not be started
  Invalid,     // what was asked for has no meaning: an empty name, a path outside of the project
  Inside,      // this process is in a run itself: sessions are reviewed from outside
  System,      // a system call failed
  Trouble      // everything else
};

// The only exception of this library's calls, besides std::bad_alloc. what() is a sentence in lower
// case without a full stop. The comment of a call names the kinds that answer what was asked of it.
// Besides, any may throw System and Trouble, and Invalid when a sink makes it; one that opens a
// session NoSession, and one that changes it or the project Busy, while another command is at work.
class Failure : public std::runtime_error {
 public:
  // `message` is what() will be; the others are what the functions of their names return.
  Failure(Kind kind, const std::string& message, std::string hint = {},
          std::vector<std::string> paths = {}, bool written = false);

  // What to decide by.
  [[nodiscard]] Kind kind() const noexcept { return kind_; }

  // Suggests what to do on the command line; may be empty.
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

  // The files that are concerned, relative to the project, raw bytes; may be empty.
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }

  // True if files were written nevertheless: an apply's files are whole in the project, and moving
  // a branch failed after that. history() has the apply, and undo() takes it back.
  [[nodiscard]] bool written() const noexcept { return written_; }

 private:
  Kind kind_;
  std::string hint_;
  std::vector<std::string> paths_;
  bool written_;
};

// "no-session", "nothing", "conflict", ...: the word of shadow_kind_word (shadow.h).
[[nodiscard]] const char* to_word(Kind kind) noexcept;

}  // namespace shadow::workspace
