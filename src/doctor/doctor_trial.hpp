// SPDX-License-Identifier: MIT
// The examination's runs: a small project, a session over it, and commands in that. The destructors
// remove all of it.

#pragma once

#include "shadow/error.hpp"
#include "shadow/session.hpp"

#include "run/run.hpp"
#include "sandbox/process/probe.hpp"
#include "sys/files/fd.hpp"

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace shadow::doctor {

// Signals that end the process by default wait while it lives: what was made for the examination is
// removed first.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals(HeldSignals&&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  HeldSignals& operator=(HeldSignals&&) = delete;
  ~HeldSignals() { let_go(); }

  // True if one of them came, so that the rest need not be tried.
  [[nodiscard]] bool came() const;
  // As it was before, also for a child's own.
  void let_go() const;

 private:
  sigset_t held_{};
  sigset_t before_{};
};

// A project outside of the state directory, where no project may lie, and beside it a repository
// whose linked work tree it can be, and paths of the host for --ro, --rw and --hide.
class TrialProject {
 public:
  static constexpr const char* kFile = "file";
  static constexpr const char* kPart = "part";
  static constexpr const char* kSecret = ".netrc";  // in host_path("home")

  TrialProject();
  TrialProject(const TrialProject&) = delete;
  TrialProject(TrialProject&&) = delete;
  TrialProject& operator=(const TrialProject&) = delete;
  TrialProject& operator=(TrialProject&&) = delete;
  ~TrialProject();

  // Saves as editors do: a new file under the old name.
  void save(const std::string& text) const;
  // From here on it is a linked work tree.
  void link() const;

  [[nodiscard]] const HeldSignals& signals() const { return signals_; }
  [[nodiscard]] std::string path() const { return root_ + "/project"; }
  [[nodiscard]] std::string git_dir() const { return root_ + "/repository"; }
  [[nodiscard]] std::string host_path(const char* name) const { return root_ + "/host/" + name; }

 private:
  void make() const;
  HeldSignals signals_;  // first: those that came end the process once the rest is gone
  std::string root_;
};

// A run in a child process. What it fails with is left in memory that both share, not in a pipe:
// the process that finishes the run in the background would hold that open.
class TrialRun {
 public:
  explicit TrialRun(const std::function<void()>& act);
  // Once.
  [[nodiscard]] sandbox::ProbeResult wait();

 private:
  void send_error(const Error& error) const noexcept;

  sys::Fd failure_;
  pid_t pid_;
};

// The session of the examination.
class TrialSession {
 public:
  struct Command {
    std::string script;  // of /bin/sh
    policy::Policy policy;
    std::vector<std::string> more_words;
    std::string home{};  // another one than the caller's
  };

  TrialSession(const StateDir& state, const TrialProject& project);
  TrialSession(const TrialSession&) = delete;
  TrialSession(TrialSession&&) = delete;
  TrialSession& operator=(const TrialSession&) = delete;
  TrialSession& operator=(TrialSession&&) = delete;
  ~TrialSession();

  // Starts the command with these as its standard streams.
  [[nodiscard]] TrialRun start(const Command& command, int in, int out) const;
  // From beginning to end, without input and output.
  [[nodiscard]] sandbox::ProbeResult run(const Command& command) const;

 private:
  void drop() const;

  const StateDir& state_;
  const TrialProject& project_;
  run::RunRequest request_;
};

}  // namespace shadow::doctor
