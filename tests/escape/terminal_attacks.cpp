// SPDX-License-Identifier: MIT
// Attacks on the terminal that the run shares with its caller. The driver gives it one, and looks
// afterwards whether input came that nobody typed.
#include "attack.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>

#include <fcntl.h>
#include <linux/tiocl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace escape {
namespace {

constexpr unsigned long kPush = TIOCSTI;
constexpr unsigned long kConsole = 0x541C;  // TIOCLINUX
constexpr const char* kText = "echo escaped\n";

std::string push_all(int fd, unsigned long command) {
  for (const char* at = kText; *at != '\0'; ++at) {
    if (::syscall(SYS_ioctl, fd, command, at) != 0) {
      return errno_name();
    }
  }
  return "OK";
}

std::string push_input(const Bait& /*bait*/) {
  return push_all(STDIN_FILENO, kPush);
}

std::string push_by_tty(const Bait& /*bait*/) {
  const int fd = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
  return fd < 0 ? errno_name() : push_all(fd, kPush);
}

// The kernel takes the command as 32 bits: one with more set above is the same to it.
std::string push_with_high_bits(const Bait& /*bait*/) {
  return push_all(STDIN_FILENO, kPush | (1UL << 32U));
}

std::string push_by_proc(const Bait& /*bait*/) {
  const int fd = ::open("/proc/self/fd/0", O_RDWR | O_CLOEXEC | O_NOCTTY);
  return fd < 0 ? errno_name() : push_all(fd, kPush);
}

// A new session may take the terminal as its own, and then push.
std::string steal(const Bait& /*bait*/) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    const bool stolen = ::ioctl(STDIN_FILENO, TIOCSCTTY, 1) == 0;
    ::_exit(stolen ? 0 : errno);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  return errno == 0 ? "OK" : errno_name();
}

#if defined(__x86_64__)
// The entry of 32-bit programs, which has its own numbers of calls.
long call_as_32_bit(int number, unsigned first, unsigned second, unsigned third) {
  long result = 0;
  asm volatile("int $0x80"
               : "=a"(result)
               : "a"(number), "b"(first), "c"(second), "d"(third)
               : "memory", "r8", "r9", "r10", "r11");
  return result;
}

std::string push_as_32_bit(const Bait& /*bait*/) {
  constexpr int kMkdir =
      39;  // getpid(2) for 64-bit programs, whose call user-mode Linux makes of it
  constexpr int kIoctl = 54;
  constexpr std::size_t kPage = 4096;
  if (call_as_32_bit(kMkdir, 0, 0, 0) == ::getpid()) {
    return "no such entry";
  }
  char* letter = static_cast<char*>(::mmap(nullptr, kPage, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  if (letter == MAP_FAILED) {
    return "mmap: " + errno_name();
  }
  *letter = 'x';
  const auto low = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(letter));
  const long result = call_as_32_bit(kIoctl, STDIN_FILENO, kPush, low);
  errno = result < 0 ? static_cast<int>(-result) : 0;
  return result < 0 ? errno_name() : "OK";
}

std::string push_as_x32(const Bait& /*bait*/) {
  constexpr long kX32 = 0x40000000;
  constexpr long kIoctl = kX32 + 514;
  return outcome(::syscall(kIoctl, STDIN_FILENO, kPush, kText));
}
#endif

std::string paste(const Bait& /*bait*/) {
  char paste_selection = TIOCL_PASTESEL;
  return outcome(::ioctl(STDIN_FILENO, kConsole, &paste_selection));
}

std::string paste_with_high_bits(const Bait& /*bait*/) {
  char paste_selection = TIOCL_PASTESEL;
  return outcome(::syscall(SYS_ioctl, STDIN_FILENO, kConsole | (1UL << 40U), &paste_selection));
}

std::string redirect_console(const Bait& /*bait*/) {
  return outcome(::ioctl(STDIN_FILENO, TIOCCONS, nullptr));
}

std::string hang_up(const Bait& /*bait*/) {
  return outcome(::vhangup());
}

std::string line_discipline(const Bait& /*bait*/) {
  constexpr int kSlip = 1;
  return outcome(::ioctl(STDIN_FILENO, TIOCSETD, &kSlip));
}

std::string give_away(const Bait& bait) {
  const pid_t group = bait.number("victim");
  return outcome(::ioctl(STDIN_FILENO, TIOCSPGRP, &group));
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt, Levels levels = Levels::All) {
  return {"terminal", name, how, expected, levels, std::move(attempt)};
}

}  // namespace

Attacks terminal_attacks() {
  return {
    attack("push input", "ioctl(TIOCSTI)", "EPERM", push_input),
        attack("push input by /dev/tty", "open /dev/tty, TIOCSTI", "EPERM|ENXIO", push_by_tty),
        attack("push input by /proc", "open /proc/self/fd/0, TIOCSTI", "EPERM|ENXIO|EIO|EACCES",
               push_by_proc),
        attack("push input, high bits set", "TIOCSTI + 2^32", "EPERM", push_with_high_bits),
#if defined(__x86_64__)
        attack("push input as a 32-bit program", "int 0x80",
               "EPERM|killed by SIGSYS|killed by SIGSEGV|no such entry", push_as_32_bit),
        attack("push input as an x32 program", "call number + 2^30",
               "EPERM|ENOSYS|killed by SIGSYS", push_as_x32),
#endif
        attack("paste the selection", "ioctl(TIOCLINUX)", "EPERM", paste),
        attack("paste the selection, high bits set", "TIOCLINUX + 2^40", "EPERM",
               paste_with_high_bits),
        attack("take the terminal", "setsid, TIOCSCTTY", "EPERM", steal),
        attack("take the console's messages", "TIOCCONS", "EPERM|EBUSY", redirect_console),
        attack("hang the terminal up", "vhangup", "EPERM", hang_up),
        attack("change the line discipline", "TIOCSETD", "EPERM|EINVAL|ENODEV", line_discipline),
        attack("give the terminal to another group", "TIOCSPGRP", "EPERM|ESRCH|EINVAL", give_away,
               Levels::Plain)
  };
}

}  // namespace escape
