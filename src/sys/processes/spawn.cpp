// SPDX-License-Identifier: MIT
#include "sys/processes/spawn.hpp"

#include "shadow/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

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
  [[nodiscard]] void* bottom() const { return bottom_; }

 private:
  void* bottom_;
};

// Tells AddressSanitizer which stack is in use: caller and child are one thread to it, and it would
// take what it knows of one stack's frames for the other's.
class StackSwitch {
 public:
#ifdef __SANITIZE_ADDRESS__
  void leave(const Stack& stack) {
    __sanitizer_start_switch_fiber(&frames_, stack.bottom(), kStackBytes);
  }
  void arrive() {
    __sanitizer_finish_switch_fiber(nullptr, &bottom_, &size_);
  }
  void come_back() {
    __sanitizer_start_switch_fiber(nullptr, bottom_, size_);
    __sanitizer_finish_switch_fiber(frames_, nullptr, nullptr);
  }

 private:
  void* frames_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
#else
  void leave(const Stack& /*stack*/) {
  }
  void arrive() {
  }
  void come_back() {
  }
#endif
};

struct Start {
  const std::function<void()>& work;
  StackSwitch stacks;
};

int enter(void* argument) {
  auto& start = *static_cast<Start*>(argument);
  start.stacks.arrive();
  start.work();
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
  Start start{work, {}};
  start.stacks.leave(stack);
  const pid_t pid = ::clone(enter, stack.top(), flags, &start);
  const int error = errno;
  if (pid < 0) {
    start.stacks.arrive();
  }
  start.stacks.come_back();
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    throw SysError{error, "start a process"};
  }
  return pid;
}

}  // namespace shadow::sys
