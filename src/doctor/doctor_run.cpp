// SPDX-License-Identifier: MIT
// Runs as `shadow run` makes them, by the same code, in a session of the examination's own over a
// small project made for it. Parts that work one by one can still fail together: a kernel may
// mount the overlay and refuse the next step. All of sandbox/setup/step.hpp is met here.
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "doctor/doctor_checks.hpp"
#include "doctor/doctor_trial.hpp"
#include "policy/policy_values.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace shadow::doctor {

using policy::Access;
using policy::HomeMode;
using policy::Policy;

namespace {

using Command = TrialSession::Command;

Policy with_home(HomeMode home) {
  Policy policy;
  policy.home.value = home;
  return policy;
}

// The output of a run until its first line end; false when it ended, says nothing for so long, or
// the examination is to end.
bool prints_a_line(int fd, const HeldSignals& signals) {
  constexpr int kLooks = 200;
  constexpr int kPauseMs = 100;
  pollfd poll_fd{fd, POLLIN, 0};
  char byte = 0;
  for (int looks = 0; looks < kLooks && !signals.came(); ++looks) {
    if (::poll(&poll_fd, 1, kPauseMs) <= 0) {
      continue;
    }
    if (::read(fd, &byte, 1) != 1) {
      return false;
    }
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
  TrialRun live = session.start({"echo >made && cat file && read -r line", with_home(home), {}},
                                in.read_end.get(), out.write_end.get());
  out.write_end.reset();
  const bool started = prints_a_line(out.read_end.get(), project.signals());
  sandbox::ProbeResult joined;
  sandbox::ProbeResult fresh;
  sandbox::ProbeResult other_home;
  if (started) {
    project.save("after\n");
    joined = session.run({"test -e made", with_home(home), {}});
    if (!joined) {
      fresh = session.run({"test \"$(cat file)\" = after", with_home(home), {}});
      other_home = session.run({"test -e made", with_home(HomeMode::Private), {}});
    }
  }
  sys::write_all(in.write_end.get(), "\n");
  const sandbox::ProbeResult first = live.wait();
  findings.push_back(found("run", first, Health::Cannot));
  if (!started || first) {
    return;
  }
  findings.push_back(found("joining run", joined, Health::Cannot));
  if (joined) {
    return;
  }
  if (fresh) {
    fresh->cause = "a file that was saved in the project meanwhile is not seen";
  }
  findings.push_back(found("fresh view", fresh, Health::Cannot));
  if (home == HomeMode::Overlay) {
    findings.push_back(found("joining run with --home=private", other_home, Health::Cannot));
  }
}

// One run with all that has mounts of its own.
Command with_paths(const TrialProject& project) {
  Policy policy = with_home(HomeMode::Private);
  const auto rule = [&](Access access, const std::string& path) {
    policy.paths.push_back({access, path, policy::Origin::CommandLine});
  };
  rule(Access::ReadOnly, project.path() + "/" + TrialProject::kPart);
  rule(Access::ReadOnly, project.host_path("ro"));
  rule(Access::ReadOnly, project.host_path("hidden"));
  rule(Access::ReadWrite, project.host_path("rw"));
  rule(Access::Hidden, project.host_path("hidden"));
  policy.only.value = project.path() + "/" + TrialProject::kFile;
  policy.hide_secrets.value = true;
  constexpr std::uint64_t kMegabyte = 1U << 20U;
  policy.limits.at(static_cast<std::size_t>(policy::LimitKind::TmpSize)).value = kMegabyte;
  return {
      "cd \"$0\" && test -e file && test ! -e part && cd \"$1\" && echo >rw/made && "
      "test ! -e hidden/file && test -d ro && ! echo >ro/made",
      policy,
      {project.path(), project.host_path("")}};
}

// A masked file of the home has no name there on which the real one could be mounted.
Command with_secret(const TrialProject& project) {
  const std::string home = project.host_path("home");
  Policy policy = with_home(HomeMode::ReadOnly);
  policy.paths.push_back(
      {Access::ReadOnly, home + "/" + TrialProject::kSecret, policy::Origin::CommandLine});
  return {R"(grep -q text "$0" && test -e file)", policy, {policy.paths.back().path}, home};
}

// A commit writes to the main repository. A variable of Lectic's makes the run ignore Lectic's
// scripts, which needs a mount there.
Command in_work_tree(const TrialProject& project) {
  return {R"(echo >"$0/made" && tail -n 1 "$0/info/exclude" | grep -q lectic)",
          with_home(HomeMode::Private),
          {project.git_dir(), "/.lectic_script-doctor"}};
}

Command with_network(const std::string& words) {
  Policy policy = with_home(HomeMode::Private);
  policy.net.value = policy::parse_network(words, "--net");
  return {"test -e file", policy, {}};
}

bool is_ok(const Findings& findings, const std::string& name) {
  for (const Finding& finding : findings) {
    if (finding.name == name) {
      return finding.health == Health::Ok;
    }
  }
  return false;
}

}  // namespace

void check_runs(Findings& findings, const StateDir& state, bool home_overlay) {
  const TrialProject project;
  {
    const TrialSession session{state, project};
    try_joining(findings, session, project, home_overlay ? HomeMode::Overlay : HomeMode::Private);
  }
  if (findings.back().health == Health::Cannot) {
    return;
  }
  const auto run_alone = [&](const char* name, const Command& command, Health otherwise) {
    if (project.signals().came()) {
      return;
    }
    const TrialSession session{state, project};
    findings.push_back(found(name, session.run(command), otherwise));
  };
  run_alone("run with --home=private", {"test -e file", with_home(HomeMode::Private), {}},
            Health::Cannot);
  run_alone("run with --home=ro", {"test -e file", with_home(HomeMode::ReadOnly), {}},
            Health::Cannot);
  run_alone("run with --home=ro and --ro of a secret", with_secret(project), Health::Cannot);
  run_alone("run with --ro, --rw, --hide, --only, --tmp-size", with_paths(project), Health::Cannot);
  if (is_ok(findings, "private network")) {
    run_alone("run with --net=none", with_network("none"), Health::Degraded);
    run_alone("run with --net=allow", with_network("allow:localhost"), Health::Degraded);
  }
  project.link();
  run_alone("run in a linked work tree", in_work_tree(project), Health::Cannot);
}

}  // namespace shadow::doctor
