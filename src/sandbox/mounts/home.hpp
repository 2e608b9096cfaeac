// SPDX-License-Identifier: MIT
// The home directory of a run.

#pragma once

#include "sandbox/setup/plan.hpp"
#include "sys/files/fd.hpp"

#include <string>
#include <utility>
#include <vector>

namespace shadow::sandbox {

// Parts of the host that were taken before it became read-only.
struct Home {
  HomeView view = HomeView::None;
  sys::Fd mount;                                       // overlay, or bind of a home
  bool masked = false;                                 // the mount itself hides the secrets
  std::vector<std::pair<std::string, sys::Fd>> tools;  // absolute path, read-only bind
};

// Throws when the view that was asked for by name cannot be had.
[[nodiscard]] Home take_home(const SessionPlan& plan);

// One of the session's own (Private, Allowed) for a single run where it is live with another home.
[[nodiscard]] Home take_private_home(const SessionPlan& plan, HomeView view);

void build_home(const SessionPlan& plan, const Home& home);

// Covers the secrets to which links of the home lead outside of it, and those of other homes.
void mask_secrets_elsewhere(const SessionPlan& plan);

// The well-known tool directories of a private home, relative to the home: shown read-only in it.
[[nodiscard]] const std::vector<std::string>& well_known_tools();

// The paths that --home=allow shows: toolchains, and nothing that is written by hand or by a login.
[[nodiscard]] const std::vector<std::string>& allowed_tools();

// Home-relative: where it is shown, and where it is.
struct ShownTool {
  std::string point;
  std::string source;
};

// Programs that a link in a shown directory of programs leads to, below ~/.local/share, where what
// updates itself keeps its versions: each where it is, and where the link has it. None that is
// shown already, or is a secret.
[[nodiscard]] std::vector<ShownTool> linked_programs(const std::string& home,
                                                     const std::vector<std::string>& shown,
                                                     const std::vector<std::string>& secrets);

}  // namespace shadow::sandbox
