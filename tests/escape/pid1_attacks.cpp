// SPDX-License-Identifier: MIT
// Attacks on the run's pid 1: a process of shadow, with the caller's environment and the
// session's locks.
#include "attack.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include <dirent.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace escape {
namespace {

std::string read_files(const Bait& /*bait*/) {
  std::vector<std::string> readable;
  for (const char* name : {"environ", "mem", "maps", "smaps", "auxv", "syscall", "stack", "io",
                           "pagemap", "personality"}) {
    const std::string path = std::string{"/proc/1/"} + name;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char byte = 0;
    if (fd >= 0 && ::read(fd, &byte, 1) > 0) {
      readable.push_back(path);
    }
  }
  return held_unless(readable);
}

std::string follow_links(const Bait& /*bait*/) {
  std::vector<std::string> names = {"root",   "cwd",    "exe",    "ns/mnt",   "ns/user",
                                    "ns/pid", "ns/net", "ns/ipc", "root/etc", "cwd/."};
  // The numbers of descriptors may be listed by root; what they lead to may not be opened.
  constexpr int kTried = 32;
  for (int fd = 0; fd < kTried; ++fd) {
    names.push_back("fd/" + std::to_string(fd));
  }
  std::vector<std::string> followed;
  for (const std::string& name : names) {
    const std::string path = "/proc/1/" + name;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) {
      followed.push_back(path);
      ::close(fd);
    }
  }
  return held_unless(followed);
}

std::string enter(const Bait& /*bait*/) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, 1, 0));
  if (pidfd < 0) {
    return errno_name();
  }
  std::vector<std::string> entered;
  for (const int kind : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP}) {
    if (::setns(pidfd, kind) == 0) {
      entered.push_back(std::to_string(kind));
    }
  }
  return held_unless(entered);
}

std::string take_descriptor(const Bait& /*bait*/) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, 1, 0));
  constexpr int kTried = 64;
  for (int fd = 0; fd < kTried; ++fd) {
    if (::syscall(SYS_pidfd_getfd, pidfd, fd, 0) >= 0) {
      return "LEAK: descriptor " + std::to_string(fd);
    }
    if (errno != EPERM) {
      return errno_name();
    }
  }
  return "EPERM";
}

std::string read_memory(const Bait& /*bait*/) {
  char byte = 0;
  iovec local{&byte, 1};
  iovec remote{&byte, 1};
  return outcome(::process_vm_readv(1, &local, 1, &remote, 1, 0));
}

std::string write_memory(const Bait& /*bait*/) {
  char byte = 0;
  iovec local{&byte, 1};
  iovec remote{&byte, 1};
  return outcome(::process_vm_writev(1, &local, 1, &remote, 1, 0));
}

std::string kill_it(int signal) {
  // The kernel lets a pid 1 ignore what it has no handler for, also SIGKILL, from inside.
  for (int times = 0; times < 3; ++times) {
    ::kill(1, signal);
  }
  ::usleep(50'000);
  return ::kill(1, 0) == 0 ? "alive" : errno_name();
}

// Queued signals carry what the sender says; the kernel does not let si_code claim the kernel.
std::string forge_signal(const Bait& /*bait*/) {
  siginfo_t info{};
  info.si_signo = SIGTERM;
  info.si_code = SI_KERNEL;
  if (::syscall(SYS_rt_sigqueueinfo, 1, SIGTERM, &info) == 0) {
    return "OK";
  }
  return errno_name();
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt) {
  return {"pid 1", name, how, expected, Levels::All, std::move(attempt)};
}

}  // namespace

Attacks pid1_attacks() {
  return {
      attack("read its environment and memory", "/proc/1/environ, mem, maps, auxv, ...", "held",
             read_files),
      attack("follow its links", "/proc/1/root, cwd, exe, fd, ns/*", "held", follow_links),
      attack("enter its namespaces", "pidfd_open(1), setns", "held", enter),
      attack("take its descriptors", "pidfd_getfd", "EPERM", take_descriptor),
      attack("trace it", "ptrace(ATTACH)", "EPERM",
             [](const Bait&) { return outcome(::ptrace(PTRACE_ATTACH, 1, 0, 0)); }),
      attack("trace it, gently", "ptrace(SEIZE)", "EPERM",
             [](const Bait&) { return outcome(::ptrace(PTRACE_SEIZE, 1, 0, 0)); }),
      attack("read its memory", "process_vm_readv", "EPERM", read_memory),
      attack("write its memory", "process_vm_writev", "EPERM", write_memory),
      attack("compare descriptors with it", "kcmp", "EPERM|ENOSYS",
             [](const Bait&) {
               return outcome(::syscall(SYS_kcmp, ::getpid(), 1, KCMP_FILES, 0, 0));
             }),
      attack("kill it", "kill(SIGKILL)", "alive", [](const Bait&) { return kill_it(SIGKILL); }),
      attack("stop it", "kill(SIGSTOP)", "alive", [](const Bait&) { return kill_it(SIGSTOP); }),
      attack("end it", "kill(SIGTERM)", "alive", [](const Bait&) { return kill_it(SIGTERM); }),
      attack("forge a signal of the kernel", "rt_sigqueueinfo(SI_KERNEL)", "EPERM", forge_signal)};
}

}  // namespace escape
