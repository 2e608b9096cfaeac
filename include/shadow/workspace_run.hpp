// SPDX-License-Identifier: MIT
// A command in a session's view.

#pragma once

#include <utility>

#include <sys/types.h>

namespace shadow::workspace {

// A command that was started: a process of `shadow run`, which is a child of this process.
class Run {
 public:
  Run(Run&& other) noexcept;
  Run& operator=(Run&& other) noexcept;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Ends it unless it was waited for: SIGTERM, after two seconds SIGKILL. What it wrote stays in
  // the session.
  ~Run();

  // Until it ends. The command's exit status; 128+N when signal N killed it, 124 after a time-out,
  // 126 and 127 when the command could not be executed or found, and 125 when shadow could not
  // isolate it and started nothing, which it then says on `err` (a command may end with 125, too).
  // Once; throws Failure (Invalid) the second time.
  int wait();

  // Passed on to the command; nothing once it has ended. May be called while another thread waits.
  void signal(int number) const noexcept;

  // Readable, for poll(2), once it has ended: wait() returns at once then. Borrowed from this.
  [[nodiscard]] int descriptor() const noexcept { return process_; }

 private:
  friend class Session;
  explicit Run(pid_t pid, int process) noexcept : pid_{pid}, process_{process} {}
  void end() noexcept;
  pid_t pid_ = -1;  // until it was waited for
  int process_ = -1;
};

}  // namespace shadow::workspace
