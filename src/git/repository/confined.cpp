// SPDX-License-Identifier: MIT
#include "git/repository/confined.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::git {
namespace {

constexpr std::size_t kMostAnswer = std::size_t{64} << 20U;

void set_limit(__rlimit_resource resource, rlim_t value) {
  const struct rlimit limit { value, value };
  ::setrlimit(resource, &limit);  // where it fails, the time still ends it
}

#if !defined(__SANITIZE_ADDRESS__)
// The memory in use that RLIMIT_DATA counts (proc(5), statm).
std::size_t data_size() {
  constexpr std::size_t kDataField = 5;
  const sys::Fd self = sys::open_path("/proc/self", O_PATH | O_DIRECTORY);
  const auto fields = split(sys::read_file_at(self.get(), "statm").value_or(""), ' ');
  const std::size_t pages =
      fields.size() > kDataField ? std::strtoull(fields[kDataField].c_str(), nullptr, 10) : 0;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}
#endif

[[noreturn]] void be_child(const std::function<std::string()>& work, const Confinement& limits,
                           int answer) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_DFL);
  set_limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)  // whose shadow memory counts as data
  set_limit(RLIMIT_DATA, data_size() + limits.memory);
#endif
  constexpr std::chrono::seconds kGrace{2};
  set_limit(RLIMIT_CPU,
            static_cast<rlim_t>(
                std::chrono::duration_cast<std::chrono::seconds>(limits.time + kGrace).count()));
  try {
    sys::write_all(answer, work());
  } catch (...) {  // the parent learns it from the status; nothing else can be done here
    ::_exit(1);
  }
  ::_exit(0);
}

// True if the pipe ended in time.
bool read_until(int fd, std::int64_t deadline_ns, std::string& into) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  std::array<char, 65536> buffer{};
  while (into.size() <= kMostAnswer) {
    const std::int64_t left = (deadline_ns - sys::monotonic_ns()) / kMillisecond;
    struct pollfd ready {
      fd, POLLIN, 0
    };
    const int count = left > 0 ? ::poll(&ready, 1, static_cast<int>(left)) : 0;
    if (count < 0 && errno == EINTR) {
      continue;
    }
    const ssize_t got = count > 0 ? ::read(fd, buffer.data(), buffer.size()) : -1;
    if (got <= 0) {
      return got == 0;
    }
    into.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return false;
}

}  // namespace

std::optional<std::string> run_confined(const std::function<std::string()>& work,
                                        const Confinement& limits) {
  sys::Pipe pipe = sys::make_pipe();
  const pid_t child = ::fork();
  if (child < 0) {
    throw_errno("start a process");
  }
  if (child == 0) {
    be_child(work, limits, pipe.write_end.get());
  }
  pipe.write_end.reset();
  const auto deadline = sys::monotonic_ns() + std::chrono::nanoseconds{limits.time}.count();
  std::string answer;
  bool whole = false;
  try {
    whole = read_until(pipe.read_end.get(), deadline, answer);
  } catch (...) {
    ::kill(child, SIGKILL);
    sys::wait_for(child);
    throw;
  }
  if (!whole) {
    ::kill(child, SIGKILL);
  }
  const int status = sys::wait_for(child);
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return std::nullopt;
  }
  return answer;
}

}  // namespace shadow::git
