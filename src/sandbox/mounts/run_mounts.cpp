// SPDX-License-Identifier: MIT
#include "sandbox/mounts/run_mounts.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/home.hpp"
#include "sandbox/mounts/lectic_scripts.hpp"
#include "sandbox/mounts/masking.hpp"
#include "sandbox/secrets/project_view.hpp"
#include "sandbox/setup/cgroup_namespaces.hpp"
#include "sandbox/setup/place.hpp"
#include "sandbox/setup/refusal.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

void mount_tmp(std::uint64_t size) {
  const sys::Fd tmp = new_tmpfs({std::to_string(size), "1777"});
  sys::change_mount(tmp.get(), "", MOUNT_ATTR_NODEV, 0, sys::Recursive::No);
  attach_at(tmp.get(), "/tmp");
}

// A path may be a file: the mount point is whatever is there.
void attach_over(int mount, const std::string& path) {
  const sys::Fd point = sys::open_path(path, O_PATH | O_NOFOLLOW);
  sys::attach_mount(mount, point.get(), path);
}

void make_read_only(const std::string& path) {
  const sys::Fd mount = sys::clone_mount(AT_FDCWD, path, sys::Recursive::Yes);
  sys::change_mount(mount.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::Yes);
  attach_over(mount.get(), path);
}

// Past no link: those in the view are a run's own.
void make_read_only_in_view(const std::string& project, const std::string& path) {
  const std::string below = path == project ? std::string{} : path.substr(project.size() + 1);
  const sys::Fd mount = clone_below(project, below, 0);
  sys::change_mount(mount.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::Yes);
  const sys::Fd root = sys::open_path(project, O_PATH | O_DIRECTORY);
  const sys::Fd point = sys::open_beneath(root.get(), below, O_PATH);
  sys::attach_mount(mount.get(), point.get(), path);
}

bool is_below(const std::string& path, const std::string& directory) {
  return path.starts_with(directory + "/");
}

// Mounts of the session's own that lie below what a run covers, or around it; they are put back on
// top.
class KeptMounts {
 public:
  KeptMounts(const std::string& covered, std::vector<std::string> places) {
    std::sort(places.begin(), places.end());  // an outer one comes first, and brings the inner ones
    for (std::string& place : places) {
      const bool brought = !kept_.empty() && is_below(place, kept_.back().place);
      const bool met = is_below(place, covered) || is_below(covered, place);
      if (!place.empty() && !brought && met) {
        sys::Fd mount = sys::clone_mount(AT_FDCWD, place, sys::Recursive::Yes);
        kept_.push_back({std::move(place), std::move(mount)});
      }
    }
  }
  void put_back() const {
    for (const Kept& one : kept_) {
      attach_at(one.mount.get(), one.place);
    }
  }

 private:
  struct Kept {
    std::string place;
    sys::Fd mount;
  };
  std::vector<Kept> kept_;
};

void cover_tmp(const SessionPlan& session, std::uint64_t size) {
  begin_step(Step::SizedTmp);
  const KeptMounts kept{"/tmp", {session.home, session.project, session.git_dir}};
  mount_tmp(size);
  kept.put_back();
}

void change_home(const InitContext& context) {
  if (!context.from_host->home) {
    return;
  }
  begin_step(Step::OtherHome);
  SessionPlan session = *context.session;
  session.home_view = context.from_host->home->view;
  const KeptMounts kept{session.home, {session.project, session.git_dir}};
  build_home(session, *context.from_host->home);
  kept.put_back();
}

// sysctl files and a few others ask for uid 0, not for a capability, and the caller's is 0.
std::vector<std::string> guarded_by_uid() {
  std::vector<std::string> there;
  for (const char* path :
       {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi",
        "/proc/scsi", "/proc/mtrr", "/proc/driver", "/proc/dynamic_debug", "/proc/latency_stats"}) {
    struct stat st {};
    if (::lstat(path, &st) == 0) {
      there.emplace_back(path);
    }
  }
  return there;
}

// A run that may write despite modes (CAP_DAC_OVERRIDE) is restricted further: it must not reach
// files of the machine that only their modes guard.
std::vector<std::string> all_but_processes() {
  std::vector<std::string> there;
  const sys::Fd proc = sys::open_path("/proc", O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : sys::list_dir(proc.get())) {
    const bool process = entry.name.find_first_not_of("0123456789") == std::string::npos;
    if (!process && entry.type != DT_LNK) {
      there.push_back("/proc/" + entry.name);
    }
  }
  return there;
}

}  // namespace

void mount_proc() {
  sys::NewFilesystem proc{"proc"};
  try {
    const sys::Fd mount = proc.create(MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    attach_over(mount.get(), "/proc");
  } catch (const SysError& error) {
    if (error.errno_value() != EPERM) {
      throw;
    }
    throw Error{
        "cannot mount /proc for the run: parts of the host's /proc are covered, as in most "
        "containers",
        advice_on_covered_proc(look_around())};
  }
}

void limit_proc(const InitContext& context) {
  begin_step(Step::ProcLimits);
  if (context.may_write_groups) {
    forbid_cgroup_namespaces();
  }
  if (!context.ids.root()) {
    return;
  }
  const bool over_files = context.plan->rights.any();
  for (const std::string& path : over_files ? all_but_processes() : guarded_by_uid()) {
    make_read_only(path);
  }
}

void apply_run_mounts(const InitContext& context) {
  const RunPlan& plan = *context.plan;
  const SessionPlan& session = *context.session;
  if (plan.tmp_size) {
    cover_tmp(session, *plan.tmp_size);
  }
  change_home(context);
  for (const HostPath& host : context.from_host->paths) {
    begin_step(Step::PlaceFromHost);
    attach_host_path(host.mount.get(), host.path);
  }
  ignore_lectic_scripts(session, plan);
  for (const std::string& path : plan.read_only) {
    if (is_in_project(session, path)) {
      begin_step(Step::ReadOnlyPart);
      make_read_only_in_view(session.project, path);
    }
  }
  if (plan.hide_project_secrets) {
    begin_step(Step::ProjectSecrets);
    constexpr std::size_t kMostSecrets = 1000;
    mask_project_secrets(session.project, plan.secret_patterns, kMostSecrets);
  }
  if (!plan.only.empty()) {
    begin_step(Step::OnlyFile);
    show_only(session.project, plan.only, plan.cwd);
  }
  if (!plan.hidden.empty()) {
    begin_step(Step::HiddenPaths);
    mask_paths("/", plan.hidden);
  }
}

}  // namespace shadow::sandbox
