// SPDX-License-Identifier: MIT
// A run is a process of the program `shadow`: nothing of a launcher happens in this one.

#include "shadow/error.hpp"
#include "shadow/workspace.hpp"

#include "base/text.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/environ_with.hpp"
#include "sys/processes/process.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/installed.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::workspace {

namespace {

// Settings of the new process: its three streams, and the project as its directory.
class Actions {
 public:
  Actions(const std::array<int, 3>& streams, const std::string& directory) {
    // Copies first: one stream may have the number that another is to get.
    constexpr int kAbove = 3;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      copies_.at(i) = sys::Fd{::fcntl(streams.at(i), F_DUPFD_CLOEXEC, kAbove)};
      if (!copies_.at(i)) {
        throw_errno("use descriptor " + std::to_string(streams.at(i)) + " for a run");
      }
      check(::posix_spawn_file_actions_adddup2(get(), copies_.at(i).get(), static_cast<int>(i)));
    }
    check(::posix_spawn_file_actions_addclosefrom_np(get(), kAbove));
    check(::posix_spawn_file_actions_addchdir_np(get(), directory.c_str()));
  }

  [[nodiscard]] posix_spawn_file_actions_t* get() { return &owned_.actions; }

 private:
  struct Owned {
    Owned() { check(::posix_spawn_file_actions_init(&actions)); }
    Owned(const Owned&) = delete;
    Owned(Owned&&) = delete;
    Owned& operator=(const Owned&) = delete;
    Owned& operator=(Owned&&) = delete;
    ~Owned() { ::posix_spawn_file_actions_destroy(&actions); }
    posix_spawn_file_actions_t actions{};
  };

  static void check(int error) {
    if (error != 0) {
      throw SysError{error, "prepare a run"};
    }
  }

  Owned owned_;
  std::array<sys::Fd, 3> copies_;
};

// No signal is blocked, and SIGPIPE, which a program with sockets likes to ignore, ends a command
// as it does in a shell. What else this process ignores is ignored there, as nohup(1) has it.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigaddset(&signals, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes(Attributes&&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  Attributes& operator=(Attributes&&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> words_of(const SessionHandle& session,
                                  const std::vector<std::string>& command,
                                  const RunOptions& options) {
  std::vector<std::string> words = {"shadow", "-C", session.of->project.root,
                                    "--as=" + session.agent, "run"};
  words.insert(words.end(), options.policy.begin(), options.policy.end());
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

// Options alone, and of `run`: a word without a dash, or "--", would make a command of the words
// that follow, and --as and -C another session.
void check_words(const std::vector<std::string>& command, const RunOptions& options) {
  if (command.empty()) {
    throw Failure{Kind::Invalid, "cannot run a command without a word"};
  }
  for (const std::string& word : options.policy) {
    if (!word.starts_with("--") || word == "--" || word == "--as" || word.starts_with("--as=")) {
      throw Failure{Kind::Invalid, "cannot take " + quoted(word) + " as an option of a run",
                    "options that have a value are written --NAME=VALUE"};
    }
  }
}

int exit_status(int status) {
  constexpr int kSignalled = 128;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Run Session::start(const std::vector<std::string>& command, const RunOptions& options) const {
  return as_call([&] {
    check_words(command, options);
    std::vector<std::string> words = words_of(*handle_, command, options);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) {
      argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const sys::EnvironWith environment{"SHADOW_STATE_DIR", handle_->of->state->dir.path()};
    Actions actions{{options.in, options.out, options.err}, handle_->of->project.root};
    const Attributes attributes;
    const std::string program = installed_programs() + "/shadow";
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(),
                                    argv.data(), environment.get());
    if (error != 0) {
      const SysError why{error, "start " + quoted(program)};
      throw Failure{Kind::NotStarted, why.what(), "shadow is not installed completely"};
    }
    sys::Fd process = sys::open_pidfd(pid);
    if (!process) {
      const int no_descriptor = errno;
      ::kill(pid, SIGKILL);
      sys::wait_for(pid);
      throw SysError{no_descriptor, "hold a run by a descriptor"};
    }
    return Run{pid, process.release()};
  });
}

Run::Run(Run&& other) noexcept
    : pid_{std::exchange(other.pid_, -1)}, process_{std::exchange(other.process_, -1)} {
}

Run& Run::operator=(Run&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    process_ = std::exchange(other.process_, -1);
  }
  return *this;
}

Run::~Run() {
  end();
}

int Run::wait() {
  if (pid_ < 0) {
    throw Failure{Kind::Invalid, "cannot wait for a run that was waited for"};
  }
  const pid_t pid = std::exchange(pid_, -1);
  try {
    return exit_status(sys::wait_for(pid));
  } catch (...) {
    throw_failure();
  }
}

// By the descriptor: once the run was waited for, its pid may be somebody else's.
void Run::signal(int number) const noexcept {
  (void)::syscall(SYS_pidfd_send_signal, process_, number, nullptr, 0);
}

void Run::end() noexcept {
  const sys::Fd process{std::exchange(process_, -1)};
  const pid_t pid = std::exchange(pid_, -1);
  if (pid < 0) {
    return;
  }
  constexpr int kPatienceMs = 2000;
  ::kill(pid, SIGTERM);
  struct pollfd ended {
    process.get(), POLLIN, 0
  };
  if (::poll(&ended, 1, kPatienceMs) != 1) {
    ::kill(pid, SIGKILL);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace shadow::workspace
