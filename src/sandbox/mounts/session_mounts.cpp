// SPDX-License-Identifier: MIT
#include "sandbox/mounts/session_mounts.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/devices.hpp"
#include "sandbox/mounts/home.hpp"
#include "sandbox/mounts/masking.hpp"
#include "sandbox/mounts/overlay_mount.hpp"
#include "sandbox/mounts/runtime_dirs.hpp"
#include "sandbox/mounts/temporary_dirs.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "sandbox/setup/place.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/mount.hpp"

#include <climits>

#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

// As the target of a link, which is no longer than a path: a longer agent's name is left out.
std::string name_of_session(const SessionPlan& plan) {
  constexpr std::size_t kLongest = PATH_MAX / 2;
  const std::string id{sys::split_path(plan.directory).name};
  return plan.agent.size() > kLongest ? id : id + "/" + plan.agent;
}

// Opened here, after the unshare, and compared with what the supervisor saw before.
sys::Fd open_project(const SessionPlan& plan) {
  sys::Fd project = sys::open_path(plan.project, sys::kDirPath);
  const sys::Identity identity = sys::identify(project.get());
  if (!(identity == plan.identity)) {
    throw Error{"cannot run in " + quoted(plan.project) + ": it was replaced just now", "try again",
                ExitCode::NotStarted};
  }
  return project;
}

sys::Fd mount_project(const SessionPlan& plan) {
  begin_step(Step::ProjectOverlay);
  const sys::Fd lower = open_project(plan);
  const std::string layer = plan.directory + "/project";
  try {
    return mount_overlay(lower.get(), layer);
  } catch (const SysError& error) {
    explain_overlay_failure(plan.project, layer, error,
                            "use a directory beside it as the project: -C DIR");
  }
}

// Commits of a linked work tree are written to its main repository: that gets a layer of its own,
// so that they work and can be reviewed.
sys::Fd mount_git_dir(const SessionPlan& plan) {
  if (plan.git_dir.empty()) {
    return {};
  }
  begin_step(Step::GitDirOverlay);
  const sys::Fd lower = sys::open_path(plan.git_dir, sys::kDirPath);
  const std::string layer = plan.directory + "/gitdir";
  try {
    return mount_overlay(lower.get(), layer);
  } catch (const SysError& error) {
    explain_overlay_failure(plan.git_dir, layer, error, "use another work tree");
  }
}

// An empty read-only directory over the state, unless the home's view hides it: a private home
// covers it, and a home overlay has a whiteout there.
void hide_state(const SessionPlan& plan, HomeView home) {
  const bool in_home = home != HomeView::None && plan.state.starts_with(plan.home + "/");
  if (in_home && home != HomeView::ReadOnly) {
    return;
  }
  const sys::Fd state = sys::try_open_at(AT_FDCWD, plan.state, sys::kDirPath);
  if (!state) {
    return;
  }
  const sys::Fd empty = new_tmpfs({"4K", "555"});
  sys::change_mount(empty.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::No);
  sys::attach_mount(empty.get(), state.get(), plan.state);
}

}  // namespace

HomeView build_session_mounts(const SessionPlan& plan) {
  begin_step(Step::PrivateMounts);
  sys::make_mounts_private();

  // Everything that needs the host's own tree comes first: an overlay cannot be created once its
  // upper is read-only, and what is below a covered directory can no longer be named.
  const sys::Fd project = mount_project(plan);
  const sys::Fd git_dir = mount_git_dir(plan);
  const Home home = take_home(plan);
  begin_step(Step::Devices);
  DeviceNodes nodes = take_device_nodes();
  begin_step(Step::KeptRuntime);
  const std::vector<KeptRun> run = take_run();
  begin_step(Step::TemporaryOverlay);
  const TemporaryDirs temporary = take_temporary_dirs(plan.directory);

  // Read-only for correctness too: when the real project is moved away, its overlay goes along and
  // the path shows the host's new directory. Without devices because a node may lie anywhere (in
  // the root directory of a container, say), and a read-only mount does not keep it from being
  // opened for writing.
  begin_step(Step::ReadOnlyHost);
  sys::change_mount(AT_FDCWD, "/", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0,
                    sys::Recursive::Yes);
  // The uid_map of nested namespaces is written through /proc; each run mounts its own over it.
  begin_step(Step::WritableProc);
  sys::change_mount(AT_FDCWD, "/proc", 0, MOUNT_ATTR_RDONLY, sys::Recursive::No);

  build_dev(std::move(nodes), name_of_session(plan));
  begin_step(Step::CoverRun);
  build_run(run);
  begin_step(Step::CoverTmp);
  build_temporary_dirs(temporary);
  begin_step(Step::HostSockets);
  mask_paths("/", host_sockets());
  begin_step(Step::SecretsElsewhere);
  mask_secrets_elsewhere(plan);
  begin_step(Step::PlaceHome);
  build_home(plan, home);
  begin_step(Step::CoverState);
  hide_state(plan, home.view);  // after the home, which shows it anew when it is the real one
  begin_step(Step::PlaceProject);
  attach_at(project.get(), plan.project);
  if (git_dir) {
    begin_step(Step::PlaceGitDir);
    attach_at(git_dir.get(), plan.git_dir);
  }
  return home.view;
}

}  // namespace shadow::sandbox
