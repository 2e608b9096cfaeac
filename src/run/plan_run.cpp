// SPDX-License-Identifier: MIT
#include "run/plan_run.hpp"

#include "sandbox/mounts/home.hpp"
#include "sandbox/process/environment.hpp"
#include "sandbox/secrets/other_homes.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "session/directory/overlay_trial.hpp"
#include "session/project/real_git_dir.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <climits>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::run {

using policy::Access;
using policy::HomeMode;

namespace {

// The canonical home; "" when there is none to speak of: accounts of services have all sorts of
// words there.
std::string home_directory() {
  const auto home = sys::environment("HOME");
  if (!home || !home->starts_with('/')) {
    return {};
  }
  const std::string real = sys::real_path(*home).value_or("");
  struct stat st {};
  const bool directory = ::stat(real.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
  return !directory || real == "/" || (real + "/").starts_with("/proc/") ? std::string{} : real;
}

sandbox::HomeView view_of(HomeMode mode) {
  switch (mode) {
    case HomeMode::Auto:
    case HomeMode::Overlay:
      return sandbox::HomeView::Overlay;
    case HomeMode::Private:
      return sandbox::HomeView::Private;
    case HomeMode::ReadOnly:
      return sandbox::HomeView::ReadOnly;
    case HomeMode::Allowed:
      break;
  }
  return sandbox::HomeView::Allowed;
}

}  // namespace

sandbox::SessionPlan plan_session(const StateDir& state, const session::SessionDir& session,
                                  const RunRequest& request, const sys::Identity& identity) {
  sandbox::SessionPlan plan;
  plan.project = request.project.root;
  plan.identity = identity;
  plan.directory = session.path();
  plan.agent = request.agent;
  plan.state = state.path();
  plan.git_dir = session::outside_git_dir(request.project.root).value_or("");
  const std::string home = home_directory();
  plan.home = home;
  plan.home_view = view_of(request.policy.home.value);
  plan.home_may_fall_back = request.policy.home.value == HomeMode::Auto;
  // A home inside the project is part of its view already.
  if (plan.home.empty() || (plan.home + "/").starts_with(plan.project + "/")) {
    plan.home_view = sandbox::HomeView::None;
    plan.home.clear();
  }
  plan.secrets = sandbox::home_masks(request.policy.secrets);
  plan.other_homes = sandbox::homes_of_others(home, plan.project);
  if (plan.home_view != sandbox::HomeView::Overlay || plan.home_may_fall_back) {
    plan.home_tools = sandbox::well_known_tools();
  }
  return plan;
}

sandbox::RunPlan plan_run(const session::SessionDir& session, const RunRequest& request) {
  sandbox::RunPlan plan;
  plan.argv = request.argv;
  plan.cwd = request.project.cwd;
  plan.network = request.policy.net.value.network;
  plan.environment = sandbox::run_environment(
      environ, request.policy,
      {session.id(), request.agent, request.project.root, request.project.cwd});
  for (const policy::PathRule& rule : request.policy.paths) {
    switch (rule.access) {
      case Access::ReadOnly:
        plan.read_only.push_back(rule.path);
        break;
      case Access::ReadWrite:
        plan.read_write.push_back(rule.path);
        break;
      case Access::Hidden:
        plan.hidden.push_back(rule.path);
        break;
    }
  }
  if (request.policy.home.value != HomeMode::Auto) {
    plan.home_view = view_of(request.policy.home.value);
  }
  plan.only = request.policy.only.value;
  if (!plan.only.empty() && !plan.home_view) {
    // One file to work on: the rest of the home is no more of its business than the project's.
    plan.home_view = sandbox::HomeView::Private;
  }
  plan.hide_project_secrets = request.policy.hide_secrets.value;
  plan.secret_patterns = request.policy.secret_patterns;
  if (const std::uint64_t size = request.policy.amount(policy::LimitKind::TmpSize); size > 0) {
    plan.tmp_size = size;
  }
  return plan;
}

void settle_home(const StateDir& state, RunRequest& request, const NoteSink& warn) {
  const std::string home = home_directory();
  if (request.policy.home.value != HomeMode::Auto || home.empty() ||
      (home + "/").starts_with(request.project.root + "/")) {
    return;
  }
  if (const std::string why = session::why_no_home_overlay(state.path(), home); !why.empty()) {
    request.policy.home.value = HomeMode::Private;
    warn("the home is private here: " + why);
  }
}

std::vector<std::string> made_in_session(const StateDir& state, const RunRequest& request) {
  if (request.policy.missing.empty()) {
    return {};
  }
  const std::string home = sys::environment("HOME").value_or("");  // as the paths have it
  const std::string layer = state.session(session_id({request.project.root, request.agent})) + "/" +
                            sandbox::kHomeLayer + "/upper";
  std::vector<std::string> made;
  for (const std::string& path : request.policy.missing) {
    struct stat st {};
    // A device number of 0:0 is a mask or a deletion.
    if (path.starts_with(home + "/") &&
        ::lstat((layer + path.substr(home.size())).c_str(), &st) == 0 && !S_ISCHR(st.st_mode)) {
      made.push_back(path);
    }
  }
  return made;
}

}  // namespace shadow::run
