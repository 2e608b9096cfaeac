// SPDX-License-Identifier: MIT
#include "sys/processes/process.hpp"

#include "shadow/error.hpp"

#include "sys/files/file.hpp"
#include "sys/processes/guest.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::sys {

Fd open_pidfd(pid_t pid) {
  return Fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
}

std::optional<std::uint64_t> start_time(pid_t pid) {
  std::optional<std::string> stat;
  try {
    stat = read_file_at(AT_FDCWD, "/proc/" + std::to_string(pid) + "/stat");
  } catch (const SysError& error) {
    // It was there to be opened and is gone by the time of the read.
    if (error.errno_value() != ESRCH) {
      throw;
    }
  }
  if (!stat) {
    return std::nullopt;
  }
  // The second field is the name in parentheses and may hold anything, ')' and blanks too.
  std::size_t at = stat->rfind(')');
  constexpr std::size_t kState = 2;  // behind a blank
  if (at == std::string::npos || at + kState >= stat->size() || (*stat)[at + kState] == 'Z' ||
      (*stat)[at + kState] == 'X') {
    return std::nullopt;
  }
  constexpr int kFieldsAfterName = 20;  // the start time is field 22 (proc(5))
  for (int field = 0; field < kFieldsAfterName && at != std::string::npos; ++field) {
    at = stat->find(' ', at + 1);
  }
  if (at == std::string::npos) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  std::from_chars(stat->data() + at + 1, stat->data() + stat->size(), value);
  return value;
}

std::string own_process_tag() {
  return std::to_string(::getpid()) + '-' + std::to_string(start_time(::getpid()).value_or(0));
}

bool is_of_live_process(std::string_view name) {
  const char* const last = name.data() + name.size();
  pid_t pid = 0;
  std::uint64_t start = 0;
  const auto [behind_pid, no_pid] = std::from_chars(name.data(), last, pid);
  if (no_pid != std::errc{} || pid <= 0 || behind_pid == last || *behind_pid != '-') {
    return false;
  }
  const auto [behind, no_start] = std::from_chars(behind_pid + 1, last, start);
  return no_start == std::errc{} && behind != last && *behind == '-' && start_time(pid) == start;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) {
      throw_errno("wait for a child process");
    }
  }
  return status;
}

bool detach_from_caller(Priority priority) noexcept {
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    ::dup2(null, fd);
  }
  if (null > 2) {
    ::close(null);
  }
  if (priority == Priority::Behind) {
    fall_behind();
  }
  return ::chdir("/") == 0;
}

void fall_behind() noexcept {
  constexpr int kNice = 10;
  (void)::setpriority(PRIO_PROCESS, 0, kNice);
}

std::string program_dir() {
  if (std::string programs = guest_programs(); !programs.empty()) {
    return programs;
  }
  const std::string path = read_link_at(AT_FDCWD, "/proc/self/exe");
  return path.substr(0, path.rfind('/'));
}

std::uint32_t own_umask() {
  constexpr std::string_view kKey = "\nUmask:\t";
  constexpr std::uint32_t kUsual = 022;
  std::string text;
  try {
    text = read_file_at(AT_FDCWD, "/proc/self/status").value_or("");
  } catch (const Error&) {
    return kUsual;
  }
  const std::size_t at = text.find(kKey);
  return at == std::string::npos ? kUsual
                                 : static_cast<std::uint32_t>(
                                       std::strtoul(text.c_str() + at + kKey.size(), nullptr, 8));
}

void allow_all_descriptors() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  if (value == nullptr) {
    return std::nullopt;
  }
  return value;
}

std::string user_config_dir(const std::string& home) {
  const std::string set = environment("XDG_CONFIG_HOME").value_or("");
  return set.empty() ? home + "/.config" : set;
}

}  // namespace shadow::sys
