// SPDX-License-Identifier: MIT
// Attacks on processes outside of the run, and on its privileges.
#include "attack.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace escape {
namespace {

std::string see_victim(const Bait& bait) {
  struct stat st {};
  return outcome(::stat(("/proc/" + bait.text("victim")).c_str(), &st));
}

// Something of the host in /proc: its command line would name the driver's victim.
std::string find_victim(const Bait& bait) {
  std::vector<std::string> found;
  DIR* proc = ::opendir("/proc");
  while (const dirent* entry = ::readdir(proc)) {
    std::ifstream file{std::string{"/proc/"} + entry->d_name + "/cmdline"};
    std::string words;
    std::getline(file, words);
    if (words.find(bait.text("victim-word")) != std::string::npos) {
      found.emplace_back(entry->d_name);
    }
  }
  ::closedir(proc);
  return held_unless(found);
}

std::string kill_victim(const Bait& bait) {
  return outcome(::kill(bait.number("victim"), SIGKILL));
}

std::string signal_nearby(const Bait& /*bait*/) {
  // Parent and group of pid 1 lie outside of its pid namespace and have no number in it.
  return ::getpgrp() == 0 || ::getsid(0) == 0 ? "no number" : "numbered";
}

std::string pidfd_of_victim(const Bait& bait) {
  return outcome(::syscall(SYS_pidfd_open, bait.number("victim"), 0));
}

std::string trace_victim(const Bait& bait) {
  return outcome(::ptrace(PTRACE_ATTACH, bait.number("victim"), 0, 0));
}

std::string read_victim_memory(const Bait& bait) {
  char byte = 0;
  iovec local{&byte, 1};
  iovec remote{reinterpret_cast<void*>(0x400000), 1};
  return outcome(::process_vm_readv(bait.number("victim"), &local, 1, &remote, 1, 0));
}

std::string limit_victim(const Bait& bait) {
  const rlimit none{0, 0};
  return outcome(::prlimit(bait.number("victim"), RLIMIT_CPU, &none, nullptr));
}

std::string slow_victim(const Bait& bait) {
  constexpr int kLowest = 19;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(0, &cpus);
  if (::sched_setaffinity(bait.number("victim"), sizeof cpus, &cpus) == 0) {
    return "LEAK: affinity";
  }
  return outcome(::setpriority(PRIO_PROCESS, static_cast<id_t>(bait.number("victim")), kLowest));
}

// setpriority for a whole user needs no pid, and knows no pid namespace but the visible tasks.
std::string slow_all_of_user(const Bait& bait) {
  constexpr int kLowest = 19;
  if (::setpriority(PRIO_USER, ::getuid(), kLowest) != 0) {
    return errno_name();
  }
  (void)bait;
  return "own only";  // the driver looks at the victim's
}

std::string inherited_descriptors(const Bait& /*bait*/) {
  std::vector<std::string> open;
  for (const int fd : descriptors_at_start()) {
    open.push_back(std::to_string(fd));
  }
  return held_unless(open);
}

// All but those over files that root keeps in a project of somebody else.
std::string no_privileges(const Bait& bait) {
  const std::string kept = bait.text("capabilities");
  std::vector<std::string> wrong;
  std::ifstream status{"/proc/self/status"};
  std::string line;
  while (std::getline(status, line)) {
    const std::size_t value = line.find('\t') + 1;
    const bool capabilities = line.starts_with("Cap") && line.substr(value) != kept;
    if ((capabilities && line.find_first_not_of('0', value) != std::string::npos) ||
        line == "NoNewPrivs:\t0" || line == "Seccomp:\t0") {
      wrong.push_back(line);
    }
  }
  return held_unless(wrong);
}

// A file that is not on any filesystem: the confinement belongs to the process, not to paths.
std::string run_from_memory(const Bait& bait) {
  const int source = ::open("/bin/cat", O_RDONLY | O_CLOEXEC);
  const int copy = ::memfd_create("cat", 0);
  std::array<char, 65536> buffer{};
  ssize_t got = 0;
  while ((got = ::read(source, buffer.data(), buffer.size())) > 0) {
    if (::write(copy, buffer.data(), static_cast<std::size_t>(got)) < 0) {
      return errno_name();
    }
  }
  int ends[2];
  if (::pipe(ends) != 0) {
    return errno_name();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    const char* words[] = {"cat", "/proc/self/status", nullptr};
    ::fexecve(copy, const_cast<char**>(words), environ);
    ::_exit(1);
  }
  ::close(ends[1]);
  std::string text;
  while ((got = ::read(ends[0], buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::waitpid(child, nullptr, 0);
  const bool bound = text.find("CapEff:\t" + bait.text("capabilities")) != std::string::npos &&
                     text.find("NoNewPrivs:\t1") != std::string::npos &&
                     text.find("Seccomp:\t2") != std::string::npos;
  return bound ? "still confined" : "LEAK: " + text;
}

// What a setuid program would print about itself if its bit counted.
std::string run_setuid(const char* program, const char* argument) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 0);
    ::dup2(null, 1);
    ::dup2(null, 2);
    ::execlp(program, program, argument, "-c", "true", nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "OK" : "refused";
}

std::string become_root(const Bait& /*bait*/) {
  if (::setresuid(0, 0, 0) != 0) {
    return errno_name();
  }
  return try_open("/etc/shadow-escape", O_WRONLY | O_CREAT);
}

std::string become_another(const Bait& /*bait*/) {
  constexpr uid_t kOther = 1;
  return outcome(::setresuid(kOther, kOther, kOther));
}

std::string take_groups(const Bait& /*bait*/) {
  constexpr gid_t kOther = 1;
  return outcome(::setgroups(1, &kOther));
}

std::string raise_limits(const Bait& /*bait*/) {
  std::vector<std::string> raised;
  for (const __rlimit_resource kind :
       {RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_RTPRIO, RLIMIT_NICE, RLIMIT_MSGQUEUE}) {
    rlimit limit{};
    ::getrlimit(kind, &limit);
    if (limit.rlim_max != RLIM_INFINITY) {
      limit.rlim_max += 1;
      if (::setrlimit(kind, &limit) == 0) {
        raised.push_back(std::to_string(kind));
      }
    }
  }
  return held_unless(raised);
}

std::string real_time(const Bait& /*bait*/) {
  sched_param param{};
  param.sched_priority = 1;
  rlimit limit{};
  ::getrlimit(RLIMIT_RTPRIO, &limit);
  if (limit.rlim_cur > 0) {
    return "EPERM";  // the caller's own limit allows it, inside and outside
  }
  return outcome(::sched_setscheduler(0, SCHED_FIFO, &param));
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt, Levels levels = Levels::Plain) {
  return {"processes", name, how, expected, levels, std::move(attempt)};
}

}  // namespace

Attacks process_attacks() {
  constexpr const char* kNobody = "ESRCH";
  const Levels all = Levels::All;
  return {
      attack("see a process outside", "stat /proc/PID of it", "ENOENT", see_victim, all),
      attack("find a process outside", "every /proc/*/cmdline", "held", find_victim, all),
      attack("kill a process outside", "kill", kNobody, kill_victim, all),
      attack("name what started the run", "getpgrp, getsid", "no number", signal_nearby),
      attack("hold a process outside", "pidfd_open", kNobody, pidfd_of_victim, all),
      attack("trace a process outside", "ptrace(ATTACH)", kNobody, trace_victim, all),
      attack("read its memory", "process_vm_readv", kNobody, read_victim_memory, all),
      attack("limit a process outside", "prlimit(RLIMIT_CPU)", kNobody, limit_victim, all),
      attack("slow a process outside", "sched_setaffinity, setpriority", kNobody, slow_victim, all),
      attack("slow all processes of the user", "setpriority(PRIO_USER)", "own only",
             slow_all_of_user),
      attack("use an inherited descriptor", "everything open at start but 0, 1, 2", "held",
             inherited_descriptors),
      attack("have a privilege", "Cap*, NoNewPrivs, Seccomp of /proc/self/status", "held",
             no_privileges),
      attack("run a program without a file", "memfd_create, fexecve", "still confined",
             run_from_memory),
      attack(
          "become root with su", "su root -c true", "refused",
          [](const Bait&) { return run_setuid("su", "root"); }, all),
      attack(
          "become root with sudo", "sudo -n -c true", "refused",
          [](const Bait&) { return run_setuid("sudo", "-n"); }, all),
      attack("become root and write", "setresuid(0), create a file in /etc",
             "EPERM|EINVAL|EROFS|EACCES", become_root, all),
      attack("become another user", "setresuid(1)", "EPERM|EINVAL", become_another, all),
      attack("take another group", "setgroups", "EPERM|EINVAL", take_groups, all),
      attack("raise limits", "setrlimit over the hard limit", "held", raise_limits, all),
      attack("take real-time priority", "sched_setscheduler(FIFO)", "EPERM", real_time, all)};
}

}  // namespace escape
