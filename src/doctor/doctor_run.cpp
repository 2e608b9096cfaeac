// SPDX-License-Identifier: MIT
// Runs as `shadow run` makes them, by the same code, in a session of the examination's own over a
// small project made for it. Parts that work one by one can still fail together: a kernel may
// mount the overlay and refuse the next step.
#include "shadow/error.hpp"
#include "shadow/run.hpp"

#include "base/text.hpp"
#include "doctor/doctor_checks.hpp"
#include "sandbox/namespaces.hpp"
#include "session/remove_session.hpp"
#include "store/database.hpp"
#include "store/sessions.hpp"
#include "sys/clock.hpp"
#include "sys/dir.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <array>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow {
namespace {

constexpr const char* kFile = "file";
constexpr const char* kBefore = "before\n";
constexpr const char* kAfter = "after\n";

// A project of one file, outside of the state directory, where no project may lie.
class TrialProject {
 public:
  TrialProject() {
    for (const std::string& place :
         {sys::environment("TMPDIR").value_or("/tmp"), std::string{"/var/tmp"}}) {
      path_ = place + "/shadow-doctor-XXXXXX";
      if (::mkdtemp(path_.data()) != nullptr) {
        write(kBefore);
        return;
      }
    }
    throw_errno("make a project to try a run in");
  }
  TrialProject(const TrialProject&) = delete;
  TrialProject(TrialProject&&) = delete;
  TrialProject& operator=(const TrialProject&) = delete;
  TrialProject& operator=(TrialProject&&) = delete;
  ~TrialProject() { sys::remove_tree(AT_FDCWD, path_); }

  // As editors save: a new file under the old name.
  void write(const std::string& text) const {
    const sys::Fd dir = sys::open_path(path_, O_RDONLY | O_DIRECTORY);
    sys::replace_file_at(dir.get(), kFile, text, S_IRUSR | S_IWUSR);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A run in a child process. What it fails with is left in memory that both share, not in a pipe:
// the process that finishes the run in the background would hold that open.
class TrialRun {
 public:
  explicit TrialRun(const std::function<void()>& act)
      : failure_{::memfd_create("doctor", MFD_CLOEXEC)}, pid_{::fork()} {
    if (!failure_ || pid_ < 0) {
      throw_errno("start a trial run");
    }
    if (pid_ > 0) {
      return;
    }
    try {
      act();
    } catch (const Error& error) {
      tell(error);
    } catch (const std::exception& error) {
      tell(Error{error.what()});
    }
    ::_exit(0);
  }

  sandbox::ProbeResult wait() {
    const int status = sys::wait_for(std::exchange(pid_, -1));
    ::lseek(failure_.get(), 0, SEEK_SET);
    const std::string text = sys::read_all(failure_.get());
    if (!text.empty()) {
      const std::size_t nul = text.find('\0');
      return sandbox::ProbeFailure{text.substr(0, nul), text.substr(nul + 1)};
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      return sandbox::ProbeFailure{"the trial run was ended by the system", {}};
    }
    return std::nullopt;
  }

 private:
  void tell(const Error& error) const noexcept {
    try {
      sys::write_all(failure_.get(), std::string{error.what()} + '\0' + error.hint());
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }

  sys::Fd failure_;
  pid_t pid_;
};

// The session of the examination. Goes with all that belongs to it.
class TrialSession {
 public:
  TrialSession(const StateDir& state, const std::string& project) : state_{state} {
    request_.project = {project, project};
    request_.interlocutor = "shadow doctor " + std::to_string(::getpid());
  }
  TrialSession(const TrialSession&) = delete;
  TrialSession(TrialSession&&) = delete;
  TrialSession& operator=(const TrialSession&) = delete;
  TrialSession& operator=(TrialSession&&) = delete;
  ~TrialSession() {
    try {
      drop();
    } catch (const std::exception&) {
      return;  // `gc` removes the session of a project that is gone
    }
  }

  // The run's command is a shell's; its standard streams are these.
  [[nodiscard]] TrialRun start(HomeMode home, const std::string& script, int in, int out) const {
    RunRequest request = request_;
    request.argv = {"/bin/sh", "-c", script};
    request.policy.home.value = home;
    return TrialRun{[&] {
      if (::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
          ::dup2(out, STDERR_FILENO) < 0) {
        throw_errno("set the streams of a trial run");
      }
      const int status = run_in_session(state_, request, [](const std::string&) {});
      if (status != 0) {
        throw Error{"a command in the view ended with status " + std::to_string(status)};
      }
    }};
  }

 private:
  void drop() const {
    store::Database db{state_.database()};
    const auto row =
        store::find_session(db, session_id({request_.project.root, request_.interlocutor}));
    if (row) {
      discard_session(state_, db, *row, LiveRuns::Kill);
      empty_trash_in_background(state_);
    }
  }

  const StateDir& state_;
  RunRequest request_;
};

sandbox::ProbeResult run_once(const TrialSession& session, HomeMode home,
                              const std::string& script) {
  const sys::Fd null = sys::open_path("/dev/null", O_RDWR);
  return session.start(home, script, null.get(), null.get()).wait();
}

// The output of a run until its first line end; false when it ended or says nothing for so long.
bool says_a_line(int fd) {
  constexpr int kPatienceMs = 20'000;
  pollfd poll_fd{fd, POLLIN, 0};
  char byte = 0;
  while (::poll(&poll_fd, 1, kPatienceMs) > 0 && ::read(fd, &byte, 1) == 1) {
    if (byte == '\n') {
      return true;
    }
  }
  return false;
}

// A run that goes on, one that joins it, and what the second sees of a save in between.
void try_joining(Findings& findings, const TrialSession& session, const TrialProject& project,
                 HomeMode home) {
  sys::Pipe in = sys::make_pipe();
  sys::Pipe out = sys::make_pipe();
  const std::string name{kFile};
  TrialRun live = session.start(home, "cat " + name + " && echo >made && read -r line",
                                in.read_end.get(), out.write_end.get());
  out.write_end.reset();
  const bool started = says_a_line(out.read_end.get());
  sandbox::ProbeResult joined;
  sandbox::ProbeResult fresh;
  if (started) {
    project.write(kAfter);
    joined = run_once(session, home, "test -e made");
    if (!joined) {
      fresh = run_once(session, home, "test \"$(cat " + name + ")\" = after");
    }
  }
  sys::write_all(in.write_end.get(), "\n");
  const sandbox::ProbeResult first = live.wait();
  findings.push_back(found("run", first, Health::Cannot));
  if (!started || first) {
    return;
  }
  findings.push_back(found("joining run", joined, Health::Cannot));
  if (fresh) {
    fresh->cause = "a file that was saved in the project meanwhile is not seen";
  }
  findings.push_back(found("fresh view", fresh, Health::Cannot));
}

}  // namespace

void check_runs(Findings& findings, const StateDir& state, bool home_overlay) {
  const TrialProject project;
  {
    const TrialSession session{state, project.path()};
    try_joining(findings, session, project, home_overlay ? HomeMode::Overlay : HomeMode::Private);
  }
  if (findings.back().health == Health::Cannot) {
    return;
  }
  constexpr std::array kOtherHomes{std::pair{HomeMode::Private, "run with --home=private"},
                                   std::pair{HomeMode::ReadOnly, "run with --home=ro"}};
  for (const auto& [home, name] : kOtherHomes) {
    const TrialSession session{state, project.path()};
    findings.push_back(
        found(name, run_once(session, home, "test -e " + std::string{kFile}), Health::Cannot));
  }
}

}  // namespace shadow
