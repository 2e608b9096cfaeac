// SPDX-License-Identifier: MIT
#include "doctor/doctor_trial.hpp"

#include "shadow/error.hpp"

#include "session/directory/doctor_names.hpp"
#include "session/directory/remove_session.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <cstdlib>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::doctor {
namespace {

constexpr mode_t kOwnFile = S_IRUSR | S_IWUSR;

void write_below(const sys::Fd& root, const std::string& directory, const char* name,
                 const std::string& text) {
  const sys::Fd dir = sys::make_dirs(root.get(), directory, S_IRWXU);
  sys::replace_file_at(dir.get(), name, text, kOwnFile);
}

// Here, and not in the background: the examination leaves nothing when it ends. What the files were
// is noted by a process of the session that goes on for a moment and writes there.
void remove_for_good(const StateDir& state, const std::string& id) {
  constexpr int kMostTries = 100;
  constexpr useconds_t kPause = 20'000;
  for (int tries = 1;; ++tries) {
    try {
      session::empty_trash(state, id);
      return;
    } catch (const SysError&) {
      if (tries == kMostTries) {
        throw;
      }
      ::usleep(kPause);
    }
  }
}

}  // namespace

HeldSignals::HeldSignals() {
  ::sigemptyset(&held_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action {};
    // A signal that is ignored would be kept as well, and nobody wants to be ended by it.
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
      ::sigaddset(&held_, signal);
    }
  }
  ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
}

bool HeldSignals::came() const {
  sigset_t pending;
  ::sigpending(&pending);
  sigset_t ours;
  ::sigandset(&ours, &pending, &held_);
  return ::sigisemptyset(&ours) == 0;
}

void HeldSignals::let_go() const {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

TrialProject::TrialProject() {
  for (const std::string& place : session::doctor_places()) {
    root_ = place + "/" + session::kDoctorPlace + "XXXXXX";
    if (::mkdtemp(root_.data()) != nullptr) {
      // A run finds its project by the path that the kernel has for it; TMPDIR may have links.
      root_ = sys::real_path(root_).value_or(root_);
      make();
      return;
    }
  }
  throw_errno("make a project to try a run in");
}

TrialProject::~TrialProject() {
  sys::remove_tree(AT_FDCWD, root_);
}

void TrialProject::make() const {
  const sys::Fd root = sys::open_path(root_, O_RDONLY | O_DIRECTORY);
  write_below(root, "project", kFile, "before\n");
  write_below(root, "project", ".env", "SECRET=1\n");
  sys::make_dirs(root.get(), std::string{"project/"} + kPart, S_IRWXU);
  write_below(root, "host/hidden", "file", "text\n");
  sys::make_dirs(root.get(), "host/ro", S_IRWXU);
  sys::make_dirs(root.get(), "host/rw", S_IRWXU);
  write_below(root, "host/home", kSecret, "text\n");
}

void TrialProject::save(const std::string& text) const {
  const sys::Fd root = sys::open_path(root_, O_RDONLY | O_DIRECTORY);
  write_below(root, "project", kFile, text);
}

void TrialProject::link() const {
  const sys::Fd root = sys::open_path(root_, O_RDONLY | O_DIRECTORY);
  for (const char* directory : {"objects", "refs/heads"}) {
    sys::make_dirs(root.get(), std::string{"repository/"} + directory, S_IRWXU);
  }
  constexpr const char* kUnborn = "ref: refs/heads/main\n";
  write_below(root, "repository", "HEAD", kUnborn);
  write_below(root, "repository/info", "exclude", "");
  const std::string own = "repository/worktrees/project";
  write_below(root, own, "HEAD", kUnborn);
  write_below(root, own, "commondir", "../..\n");
  write_below(root, own, "gitdir", path() + "/.git\n");
  write_below(root, "project", ".git", "gitdir: " + root_ + "/" + own + "\n");
}

TrialRun::TrialRun(const std::function<void()>& act)
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
    send_error(error);
  } catch (const std::exception& error) {
    send_error(Error{error.what()});
  }
  ::_exit(0);
}

sandbox::ProbeResult TrialRun::wait() {
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

void TrialRun::send_error(const Error& error) const noexcept {
  try {
    sys::write_all(failure_.get(), std::string{error.what()} + '\0' + error.hint());
  } catch (const std::exception&) {
    ::_exit(1);
  }
}

TrialSession::TrialSession(const StateDir& state, const TrialProject& project)
    : state_{state}, project_{project} {
  request_.project = {project.path(), project.path()};
  request_.agent = session::kDoctorAgent + sys::own_process_tag();
}

TrialSession::~TrialSession() {
  try {
    drop();
  } catch (const std::exception&) {
    return;  // `gc` removes the session of a project that is gone
  }
}

TrialRun TrialSession::start(const Command& command, int in, int out) const {
  run::RunRequest request = request_;
  request.argv = {"/bin/sh", "-c", command.script};
  request.argv.insert(request.argv.end(), command.more_words.begin(), command.more_words.end());
  request.policy = command.policy;
  // Killed, the examination leaves a run that waits for its word; nobody else would end it.
  request.policy.die_with_parent.value = true;
  return TrialRun{[&] {
    project_.signals().let_go();
    if (!command.home.empty()) {
      ::setenv("HOME", command.home.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): a child's own
    }
    if (::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
        ::dup2(out, STDERR_FILENO) < 0) {
      throw_errno("set the streams of a trial run");
    }
    const int status = run::run_in_session(state_, request, [](const std::string&) {});
    if (status != 0) {
      throw Error{"a command in the view ended with status " + std::to_string(status)};
    }
  }};
}

sandbox::ProbeResult TrialSession::run(const Command& command) const {
  const sys::Fd null = sys::open_path("/dev/null", O_RDWR);
  return start(command, null.get(), null.get()).wait();
}

void TrialSession::drop() const {
  store::Database db{state_.database()};
  const auto row = store::find_session(db, session_id({request_.project.root, request_.agent}));
  if (row) {
    session::discard_session(state_, db, *row, session::LiveRuns::Kill);
    remove_for_good(state_, row->id);
  }
}

}  // namespace shadow::doctor
