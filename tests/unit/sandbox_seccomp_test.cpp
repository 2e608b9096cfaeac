// SPDX-License-Identifier: MIT
#include "sandbox/bounds/landlock.hpp"
#include "sandbox/bounds/seccomp.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Runs in a child of its own; what it returns (0..255), or 256 + the signal that ended it.
int in_child(const std::function<int()>& act) {
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::_exit(act());
  }
  const int status = shadow::sys::wait_for(pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

int errno_of(long result) {
  return result < 0 ? errno : 0;
}

// A new session whose controlling terminal is a fresh pty; its descriptor.
int own_terminal() {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0 || ::setsid() < 0) {
    return -1;
  }
  const int slave = ::open(::ptsname(master), O_RDWR);
  return ::ioctl(slave, TIOCSCTTY, 0) == 0 ? slave : -1;
}

#if defined(__x86_64__)
// The i386 entry of the kernel, open to 64-bit programs too.
long ioctl_i386(int fd, unsigned command, unsigned argument) {
  constexpr long kIoctl = 54;
  long result = kIoctl;
  __asm__ volatile("int $0x80"
                   : "+a"(result)
                   : "b"(fd), "c"(command), "d"(argument)
                   : "memory", "r8", "r9", "r10", "r11");
  return result;
}
#endif

}  // namespace

TEST_SUITE("sandbox/seccomp") {
  TEST_CASE("the filter is one that the kernel takes, and small") {
    CHECK(shadow::sandbox::terminal_filter().size() > 5);
    CHECK(shadow::sandbox::terminal_filter().size() < 64);
    CHECK(in_child([] { return shadow::sandbox::install_terminal_filter(); }) == 0);
  }

  TEST_CASE("nothing can be typed into a terminal, also with bits above the command") {
    const auto attempt = [](unsigned long command) {
      return in_child([command] {
        const int terminal = own_terminal();
        if (terminal < 0 || shadow::sandbox::install_terminal_filter() != 0) {
          return 255;
        }
        char key = 'x';
        return errno_of(::syscall(SYS_ioctl, terminal, command, &key));
      });
    };
    constexpr unsigned long kAbove = 1UL << 32U;
    CHECK(attempt(TIOCSTI) == EPERM);
    CHECK(attempt(TIOCLINUX) == EPERM);
    CHECK(attempt(TIOCSTI | kAbove) == EPERM);
    CHECK(attempt(TIOCLINUX | (0xffUL << 40U)) == EPERM);
  }

  TEST_CASE("terminals work otherwise: size, process groups, modes") {
    CHECK(in_child([] {
            const int terminal = own_terminal();
            if (terminal < 0 || shadow::sandbox::install_terminal_filter() != 0) {
              return 255;
            }
            struct winsize size {};
            pid_t group = 0;
            return errno_of(::ioctl(terminal, TIOCGWINSZ, &size)) |
                   errno_of(::ioctl(terminal, TIOCGPGRP, &group));
          }) == 0);
  }

#if defined(__x86_64__)
  TEST_CASE("the other ABIs of the machine are no way around") {
    const int by_i386 = in_child([] {
      ::signal(SIGSEGV, SIG_DFL);  // else doctest tells of a crash
      if (shadow::sandbox::install_terminal_filter() != 0) {
        return 255;
      }
      return static_cast<int>(-ioctl_i386(0, TIOCSTI, 0));
    });
    // A kernel without that entry ends the process (CONFIG_IA32_EMULATION, ia32_emulation=0).
    CHECK((by_i386 == EPERM || by_i386 == 256 + SIGSEGV));
    CHECK(in_child([] {
            constexpr long kX32Ioctl = 0x40000000L + 514;
            if (shadow::sandbox::install_terminal_filter() != 0) {
              return 255;
            }
            return errno_of(::syscall(kX32Ioctl, 0, TIOCSTI, nullptr));
          }) == EPERM);
  }
#endif

  TEST_CASE("no child is put into another control group") {
    CHECK(in_child([] {
            if (shadow::sandbox::install_terminal_filter() != 0) {
              return 255;
            }
            // Whatever it asks for: a plain fork is refused as well, and clone(2) does it.
            struct clone_args arguments {};
            arguments.exit_signal = SIGCHLD;
            return errno_of(::syscall(SYS_clone3, &arguments, sizeof arguments));
          }) == ENOSYS);
  }

  TEST_CASE("the key service looks as if the kernel had none") {
    CHECK(in_child([] {
            if (shadow::sandbox::install_terminal_filter() != 0) {
              return 255;
            }
            constexpr int kJoinSession = 1;
            for (const long call : {SYS_add_key, SYS_request_key, SYS_keyctl}) {
              if (errno_of(::syscall(call, kJoinSession, 0, 0, 0, 0)) != ENOSYS) {
                return 254;
              }
            }
            return 0;
          }) == 0);
  }

  TEST_CASE("children and further filters do not lift it") {
    CHECK(in_child([] {
            if (shadow::sandbox::install_terminal_filter() != 0 ||
                shadow::sandbox::install_terminal_filter() != 0) {
              return 255;
            }
            return in_child([] { return errno_of(::ioctl(0, TIOCSTI, "x")); });
          }) == EPERM);
  }
}

TEST_SUITE("sandbox/landlock") {
  TEST_CASE("with scopes, abstract sockets and processes of others are out of reach") {
    if (shadow::sandbox::landlock_abi() < shadow::sandbox::kLandlockScopeAbi) {
      CHECK(in_child([] { return shadow::sandbox::restrict_scopes() ? 1 : 0; }) == 0);
      MESSAGE("skipped: this kernel has no Landlock scopes");
      return;
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = "shadow-unit-" + std::to_string(::getpid());
    std::memcpy(&address.sun_path[1], name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    const shadow::sys::Fd listener{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    REQUIRE(::bind(listener.get(), generic, length) == 0);
    REQUIRE(::listen(listener.get(), 1) == 0);
    const pid_t outsider = ::getpid();
    const auto reach = [&] {
      const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      return errno_of(::connect(socket, generic, length));
    };
    CHECK(in_child(reach) == 0);
    CHECK(in_child([&] { return shadow::sandbox::restrict_scopes() ? reach() : 255; }) == EPERM);
    CHECK(in_child([&] {
            return shadow::sandbox::restrict_scopes() ? errno_of(::kill(outsider, 0)) : 255;
          }) == EPERM);
  }

  TEST_CASE("the proxy empties no file by its name, which Landlock refuses since Linux 6.2 only") {
    std::array<char, 32> path = {"/tmp/shadow-truncate-XXXXXX"};
    const shadow::sys::Fd file{::mkstemp(path.data())};
    REQUIRE(::ftruncate(file.get(), 1) == 0);
    CHECK(in_child([&] {
            return shadow::sandbox::install_proxy_filter() != 0
                       ? 1
                       : errno_of(::truncate(path.data(), 0));
          }) == EPERM);
    CHECK(::lseek(file.get(), 0, SEEK_END) == 1);
    ::unlink(path.data());
  }
}
