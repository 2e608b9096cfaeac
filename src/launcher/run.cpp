// SPDX-License-Identifier: MIT
#include "launcher/run.hpp"

#include "shadow/error.hpp"
#include "shadow/session.hpp"

#include "base/text.hpp"
#include "cli/program.hpp"
#include "launcher/nested.hpp"
#include "launcher/policy_layer.hpp"
#include "policy/agent_programs.hpp"
#include "policy/config_file.hpp"
#include "policy/merge_policy.hpp"
#include "policy/policy.hpp"
#include "policy/policy_text.hpp"
#include "run/run.hpp"
#include "sandbox/bounds/kernel_gaps.hpp"
#include "sandbox/bounds/landlock.hpp"
#include "sandbox/bounds/limits.hpp"
#include "sandbox/process/environment.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "sandbox/setup/owner_rights.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/process.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::launcher {

using policy::PolicyLayer;
using run::RunRequest;

namespace {

void warn(const std::string& line) {
  (void)std::fprintf(stderr, "shadow: %s\n", line.c_str());
}

void warn_if_any(const std::string& line) {
  if (!line.empty()) {
    warn(line);
  }
}

// A configuration in the project is never read, because an agent can write it; whoever put one
// there is told.
void warn_of_project_config(const Project& project) {
  const sys::Fd root = sys::open_path(project.root, O_PATH | O_DIRECTORY);
  if (const auto name = policy::project_config_present(root.get())) {
    warn(quoted(*name) + " in the project has no effect: settings are read from your own " +
         "configuration only");
  }
}

struct Wanted {
  std::vector<std::string> argv;
  const cli::PolicyFlags* policy = nullptr;
};

// Programs that Lectic starts must end with it: it takes a tool's time-out for the end of the
// command.
PolicyLayer callers_layer() {
  PolicyLayer layer;
  layer.origin = policy::Origin::BuiltIn;
  if (sandbox::called_by_lectic(environ)) {
    layer.die_with_parent = true;
  }
  return layer;
}

void name_agent(RunRequest& request, const cli::GlobalOptions& global,
                const std::optional<std::string>& configured) {
  auto name = named_agent(global.agent);
  if (!name) {
    name = configured;
  }
  request.by_default = !name;
  request.agent = name.value_or(kDefaultAgent);
}

std::optional<std::uint32_t> rights_of_root(const Project& project) {
  struct stat st {};
  if (::stat(project.root.c_str(), &st) != 0) {
    return {};
  }
  const sandbox::OwnerRights rights = sandbox::rights_over(st.st_uid, sandbox::caller_ids());
  return rights.any() ? std::optional{rights.owner} : std::nullopt;
}

void print_policy(const StateDir& state, RunRequest& request, bool json) {
  run::settle_home(state, request, warn);
  policy::Circumstances here;
  here.withheld = sandbox::withheld_variables(
      environ, request.policy, {{}, request.agent, request.project.root, request.project.cwd});
  here.open = sandbox::kernel_gaps(sandbox::landlock_abi(), request.policy.net.value.network);
  here.rights_over = rights_of_root(request.project);
  const std::string text = json ? policy::policy_json(request.policy, here) + "\n"
                                : policy::policy_text(request.policy, here);
  (void)cli::print_text({text});
  const bool root = ::geteuid() == 0;
  warn_if_any(sandbox::plan_limits(
                  request.policy,
                  sandbox::probe_cgroups(sandbox::wanted_controllers(request.policy, root)), root)
                  .warning);
}

// Places that a first login created in the session only, where no later one would find them.
void warn_of_lost_places(const std::vector<std::string>& made) {
  for (const std::string& path : made) {
    warn(quoted(path) + " was made in the session alone, where other sessions do not find it; " +
         "make it yourself, and it is real in the next run");
  }
}

int run(const cli::GlobalOptions& global, Wanted wanted) {
  if (const auto inside = session::find_inside()) {
    run_nested(*inside, global, *wanted.policy, wanted.argv);
  }
  const StateDir state = StateDir::open();
  RunRequest request;
  request.project = find_project(state, global.directory);
  request.argv = std::move(wanted.argv);
  warn_of_project_config(request.project);
  const std::string home = sys::environment("HOME").value_or("");
  const policy::PolicyPlaces places{home, state.path(), request.project.root, request.project.cwd,
                                    policy::agent_places_of_caller(home, request.project.root)};
  policy::Config config = policy::load_config(places);
  name_agent(request, global, config.agent);
  std::vector<PolicyLayer> layers = std::move(config.layers);
  layers.push_back(callers_layer());
  layers.push_back(command_line_layer(*wanted.policy, places));
  request.policy = policy::merge_policy(std::move(layers), places);
  if (request.policy.profile.value == "agent" && !wanted.policy->print_policy) {
    try {
      policy::make_agent_places(places.home, request.argv, request.agent);
      if (const std::string place =
              policy::missing_place_of_caller(places, request.argv, request.agent);
          !place.empty()) {
        policy::make_place_of_caller(places.home, place,
                                     sandbox::home_masks(request.policy.secrets));
      }
    } catch (const SysError& error) {
      warn(std::string{error.what()} + ": a login there stays in the session");
    }
  }
  policy::check_policy(request.policy, places);
  if (wanted.policy->print_policy) {
    print_policy(state, request, global.json);
    return 0;
  }
  const int status = run::run_in_session(state, request, warn);
  warn_of_lost_places(run::made_in_session(state, request));
  return status;
}

}  // namespace

int run_command(const cli::GlobalOptions& global, const cli::RunOptions& options) {
  return run(global, {options.argv, &options.policy});
}

int run_shell(const cli::GlobalOptions& global, const cli::ShellOptions& options) {
  std::string shell = sys::environment("SHELL").value_or("");
  if (shell.empty()) {
    shell = "/bin/sh";
  }
  return run(global, {{std::move(shell)}, &options.policy});
}

}  // namespace shadow::launcher
