// SPDX-License-Identifier: MIT
#include "sys/spawn.hpp"

#include "shadow/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

// Enough for execvpe(3), which keeps a path and a copy of argv there, and for PATH_MAX buffers.
constexpr std::size_t kStackBytes = std::size_t{1} << 20U;

class Stack {
 public:
  Stack()
      : bottom_{::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0)} {
    if (bottom_ == MAP_FAILED) {
      throw_errno("make a stack");
    }
  }
  Stack(const Stack&) = delete;
  Stack(Stack&&) = delete;
  Stack& operator=(const Stack&) = delete;
  Stack& operator=(Stack&&) = delete;
  ~Stack() { ::munmap(bottom_, kStackBytes); }

  // It grows downwards on every architecture that is built for.
  [[nodiscard]] void* top() const { return static_cast<std::byte*>(bottom_) + kStackBytes; }

 private:
  void* bottom_;
};

int enter(void* argument) {
  (*static_cast<const std::function<void()>*>(argument))();
  ::_exit(0);
}

}  // namespace

pid_t run_sharing_memory(Descriptors descriptors, const std::function<void()>& work) {
  const Stack stack;
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
  if (descriptors == Descriptors::Shared) {
    flags |= CLONE_FILES;
  }
  // clone(2) takes a pointer to what is only read.
  void* argument = const_cast<void*>(static_cast<const void*>(&work));
  const pid_t pid = ::clone(enter, stack.top(), flags, argument);
  const int error = errno;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    throw SysError{error, "start a process"};
  }
  return pid;
}

}  // namespace shadow::sys
