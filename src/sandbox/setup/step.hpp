// SPDX-License-Identifier: MIT
// The steps of setting up a run, by name. The kernel says "invalid argument" to any of some thirty
// mounts, and only the step tells what a machine lacks: what a system call refuses is reported with
// it, by `run` and by `doctor` alike.
//
// Which step a process is in is noted, not passed around: one process sets up one run, step after
// step, and what it does until the next one is named by the last. Each name is a fail point.

#pragma once

#include "shadow/error.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace shadow::sandbox {

enum class Step : std::uint8_t {
  SessionNamespaces,
  SessionIds,
  PrivateMounts,
  ProjectOverlay,
  GitDirOverlay,
  HomeOverlay,
  PrivateHome,
  ReadOnlyHome,
  Devices,
  KeptRuntime,
  TemporaryOverlay,
  ReadOnlyHost,
  WritableProc,
  CoverDev,
  Terminals,
  SharedMemory,
  CoverRun,
  CoverTmp,
  HostSockets,
  SecretsElsewhere,
  PlaceHome,
  CoverState,
  PlaceProject,
  PlaceGitDir,
  JoinSession,
  RefreshViews,
  TakeFromHost,
  RunNamespaces,
  RunIds,
  RunProc,
  ProcLimits,
  SizedTmp,
  OtherHome,
  PlaceFromHost,
  LecticScripts,
  ReadOnlyPart,
  ProjectSecrets,
  OnlyFile,
  HiddenPaths,
  Loopback,
  ProxySocket,
  WorkingDirectory,
  Privileges
};

struct StepName {
  Step step;
  const char* words;  // complete "cannot set up the run: ..."; the fail point's name, too
};

// In the order of a run.
inline constexpr std::array kSteps = {
    StepName{Step::SessionNamespaces, "make the session's namespaces"},
    StepName{Step::SessionIds, "map the session's ids"},
    StepName{Step::PrivateMounts, "make all mounts private"},
    StepName{Step::ProjectOverlay, "mount the overlay of the project"},
    StepName{Step::GitDirOverlay, "mount the overlay of the git directory"},
    StepName{Step::HomeOverlay, "mount the overlay of the home"},
    StepName{Step::PrivateHome, "mount a private home"},
    StepName{Step::ReadOnlyHome, "make the home read-only"},
    StepName{Step::Devices, "take the devices of /dev"},
    StepName{Step::KeptRuntime, "take what is kept of /run"},
    StepName{Step::TemporaryOverlay, "mount the overlay of /tmp and /var/tmp"},
    StepName{Step::ReadOnlyHost, "make the host read-only"},
    StepName{Step::WritableProc, "keep /proc writable"},
    StepName{Step::CoverDev, "cover /dev"},
    StepName{Step::Terminals, "mount /dev/pts"},
    StepName{Step::SharedMemory, "mount /dev/shm"},
    StepName{Step::CoverRun, "cover /run"},
    StepName{Step::CoverTmp, "cover /tmp and /var/tmp"},
    StepName{Step::HostSockets, "cover the host's sockets"},
    StepName{Step::SecretsElsewhere, "cover secrets that lie outside of the home"},
    StepName{Step::PlaceHome, "put the home in its place"},
    StepName{Step::CoverState, "cover the state directory"},
    StepName{Step::PlaceProject, "put the project's view in its place"},
    StepName{Step::PlaceGitDir, "put the git directory's view in its place"},
    StepName{Step::JoinSession, "join the session's namespaces"},
    StepName{Step::RefreshViews, "refresh the session's view"},
    StepName{Step::TakeFromHost, "take paths from below the session's mounts"},
    StepName{Step::RunNamespaces, "make the run's namespaces"},
    StepName{Step::RunIds, "map the run's ids"},
    StepName{Step::RunProc, "mount /proc for the run"},
    StepName{Step::ProcLimits, "make the run's /proc harmless"},
    StepName{Step::SizedTmp, "mount a /tmp of limited size"},
    StepName{Step::OtherHome, "give the run a home of its own"},
    StepName{Step::PlaceFromHost, "put paths of the host in their places"},
    StepName{Step::LecticScripts, "have git ignore Lectic's scripts"},
    StepName{Step::ReadOnlyPart, "make a part of the view read-only"},
    StepName{Step::ProjectSecrets, "hide the project's secrets"},
    StepName{Step::OnlyFile, "show one file of the project alone"},
    StepName{Step::HiddenPaths, "hide paths of the view"},
    StepName{Step::Loopback, "bring up the run's network"},
    StepName{Step::ProxySocket, "listen for the proxy"},
    StepName{Step::WorkingDirectory, "enter the working directory"},
    StepName{Step::Privileges, "take the run's privileges away"},
};

// From here on `step` is what this process, or the one whose memory it shares, is doing.
void begin_step(Step step);

// "cannot set up the run: STEP: MESSAGE", or the message alone before the first step.
[[nodiscard]] std::string in_step(const std::string& message);

// The error of the present step, with a hint where errno and the machine tell one and `error` has
// none.
[[nodiscard]] Error in_step(const SysError& error);

}  // namespace shadow::sandbox
