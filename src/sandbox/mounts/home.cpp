// SPDX-License-Identifier: MIT
#include "sandbox/mounts/home.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/masking.hpp"
#include "sandbox/mounts/overlay_mount.hpp"
#include "sandbox/mounts/own_layer.hpp"
#include "sandbox/secrets/other_homes.hpp"
#include "sandbox/secrets/secret_paths.hpp"
#include "sandbox/setup/place.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/mount.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

enum class For : std::uint8_t { Session, OneRun };

// For one run of a live session that has another home a bind of the layer's upper must do: two such
// runs would make two overlays of it, and the host is read-only there.
sys::Fd mount_private(const SessionPlan& plan, const OwnLayer& layer, For whom) {
  if (whom == For::Session) {
    return mount_own_layer(plan.directory, layer);
  }
  const sys::Fd session = sys::open_path(plan.directory, O_PATH | O_DIRECTORY);
  return sys::clone_mount(session.get(), std::string{layer.name} + "/upper", sys::Recursive::No);
}

Home take_private(const SessionPlan& plan, HomeView view, const sys::Fd& real, For whom) {
  begin_step(Step::PrivateHome);
  const bool allowed = view == HomeView::Allowed;
  Home home;
  home.view = view;
  home.mount = mount_private(plan, allowed ? kAllowedHome : kPrivateHome, whom);
  const std::vector<std::string>& known = allowed ? allowed_tools() : plan.home_tools;
  std::vector<ShownTool> tools = linked_programs(plan.home, known, plan.secrets);
  std::transform(known.begin(), known.end(), std::back_inserter(tools),
                 [](const std::string& tool) {
                   return ShownTool{tool, tool};
                 });
  for (const ShownTool& tool : tools) {
    const sys::Fd there = sys::try_open_beneath(real.get(), tool.source, O_PATH);
    if (!there) {
      continue;
    }
    if (sys::Fd mount = sys::try_clone_mount(there.get(), "", sys::Recursive::Yes)) {
      sys::change_mount(mount.get(), "", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
                        0, sys::Recursive::Yes);
      home.tools.emplace_back(tool.point, std::move(mount));
    }
  }
  return home;
}

// An overlay whose upper holds the masks and nothing else, because a mount on top of a file goes
// away when the file is replaced outside (vfs_rename detaches the mounts on its target, in every
// namespace), as programs do that write a login anew. A bind where the kernel makes no overlay.
Home take_read_only(const SessionPlan& plan, const sys::Fd& real) {
  begin_step(Step::ReadOnlyHome);
  Home home;
  home.view = HomeView::ReadOnly;
  try {
    home.mount = mount_overlay(real.get(), plan.directory + "/" + kReadOnlyHome);
    home.masked = true;
  } catch (const Error&) {
    home.mount = sys::clone_mount(AT_FDCWD, plan.home, sys::Recursive::Yes);
  }
  sys::change_mount(home.mount.get(), "", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
                    0, sys::Recursive::Yes);
  return home;
}

std::vector<std::string> secrets_of(const SessionPlan& plan,
                                    std::vector<std::string> SecretPaths::*where) {
  std::vector<std::string> paths;
  for (SecretPaths& secret : find_secrets(plan.home, plan.secrets)) {
    std::vector<std::string>& found = secret.*where;
    paths.insert(paths.end(), std::make_move_iterator(found.begin()),
                 std::make_move_iterator(found.end()));
  }
  return paths;
}

bool is_directory(const sys::Fd& fd) {
  struct stat st {};
  return ::fstat(fd.get(), &st) == 0 && S_ISDIR(st.st_mode);
}

// A tool's directory may hold a login too, as git's does.
std::vector<std::string> secrets_in_tools(const SessionPlan& plan, const Home& home) {
  std::vector<std::string> found;
  std::copy_if(plan.secrets.begin(), plan.secrets.end(), std::back_inserter(found),
               [&home](const std::string& secret) {
                 return std::any_of(home.tools.begin(), home.tools.end(), [&](const auto& tool) {
                   return is_at_or_below(secret, tool.first);
                 });
               });
  return found;
}

}  // namespace

Home take_home(const SessionPlan& plan) {
  Home home;
  home.view = plan.home_view;
  if (home.view == HomeView::None) {
    return home;
  }
  const sys::Fd real = sys::open_path(plan.home, O_PATH | O_DIRECTORY);
  if (home.view == HomeView::ReadOnly) {
    return take_read_only(plan, real);
  }
  if (home.view == HomeView::Private || home.view == HomeView::Allowed) {
    return take_private(plan, home.view, real, For::Session);
  }
  const std::string layer = plan.directory + "/" + kHomeLayer;
  try {
    begin_step(Step::HomeOverlay);
    home.mount = mount_overlay(real.get(), layer);
  } catch (const Error& error) {
    if (!plan.home_may_fall_back) {
      explain_overlay_failure(plan.home, layer, error, "use --home=private");
    }
    return take_private(plan, HomeView::Private, real, For::Session);
  }
  return home;
}

Home take_private_home(const SessionPlan& plan, HomeView view) {
  const sys::Fd real = sys::open_path(plan.home, O_PATH | O_DIRECTORY);
  return take_private(plan, view, real, For::OneRun);
}

void mask_secrets_elsewhere(const SessionPlan& plan) {
  if (!plan.home.empty()) {
    mask_paths("/", secrets_of(plan, &SecretPaths::elsewhere));
  }
  mask_paths("/", secrets_of_others(plan));
}

void build_home(const SessionPlan& plan, const Home& home) {
  switch (home.view) {
    case HomeView::None:
      return;
    case HomeView::ReadOnly:
      attach_at(home.mount.get(), plan.home);
      if (!home.masked) {
        mask_paths(plan.home, secrets_of(plan, &SecretPaths::in_home));
      }
      return;
    case HomeView::Overlay:
      attach_at(home.mount.get(), plan.home);
      return;
    case HomeView::Private:
    case HomeView::Allowed:
      break;
  }
  // Read-only when it was taken in a live session, whose host is.
  sys::change_mount(home.mount.get(), "", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, MOUNT_ATTR_RDONLY,
                    sys::Recursive::No);
  attach_at(home.mount.get(), plan.home);
  const sys::Fd root = open_mount_point(plan.home);
  for (const auto& [tool, mount] : home.tools) {
    try {
      // The agent owns the private home, so no symlink in it is followed.
      const sys::Fd point = make_point(root.get(), tool, is_directory(mount));
      sys::attach_mount(mount.get(), point.get(), plan.home + "/" + tool);
    } catch (const SysError&) {
      continue;  // a run has put something of its own there: it keeps that instead of the tool
    }
  }
  mask_paths(plan.home, secrets_in_tools(plan, home));
}

}  // namespace shadow::sandbox
