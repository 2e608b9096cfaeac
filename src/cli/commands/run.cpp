// SPDX-License-Identifier: MIT
#include "cli/commands/run.hpp"

#include "shadow/error.hpp"
#include "shadow/policy.hpp"
#include "shadow/run.hpp"
#include "shadow/session.hpp"

#include "base/text.hpp"
#include "cli/policy_layer.hpp"
#include "sandbox/config.hpp"
#include "sandbox/kernel_gaps.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/limits.hpp"
#include "sys/fd.hpp"
#include "sys/process.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace shadow::cli {

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
  if (const auto name = sandbox::project_config_present(root.get())) {
    warn(quoted(*name) + " in the project has no effect: settings are read from your own " +
         "configuration only");
  }
}

struct Wanted {
  std::vector<std::string> argv;
  const PolicyFlags* policy = nullptr;
};

int run(const GlobalOptions& global, Wanted wanted) {
  const StateDir state = StateDir::open();
  RunRequest request;
  request.project = find_project(state, global.directory);
  request.interlocutor = named_interlocutor(global.interlocutor).value_or("default");
  request.argv = std::move(wanted.argv);
  warn_of_project_config(request.project);
  const PolicyPlaces places{sys::environment("HOME").value_or(""), state.path(),
                            request.project.root, request.project.cwd};
  std::vector<PolicyLayer> layers = sandbox::load_config(places).layers;
  layers.push_back(command_line_layer(*wanted.policy, places));
  request.policy = merge_policy(std::move(layers), places);
  check_policy(request.policy, places);
  if (wanted.policy->print_policy) {
    settle_home(state, request, warn);
    const std::vector<std::string> open =
        sandbox::kernel_gaps(sandbox::landlock_abi(), request.policy.net.value.network);
    const std::string text =
        global.json ? policy_json(request.policy, open) + "\n" : policy_text(request.policy, open);
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
    const bool root = ::geteuid() == 0;
    warn_if_any(sandbox::plan_limits(
                    request.policy,
                    sandbox::probe_cgroups(sandbox::wanted_controllers(request.policy, root)), root)
                    .warning);
    return 0;
  }
  return run_in_session(state, request, warn);
}

}  // namespace

int run_command(const GlobalOptions& global, const RunOptions& options) {
  return run(global, {options.argv, &options.policy});
}

int run_shell(const GlobalOptions& global, const ShellOptions& options) {
  std::string shell = sys::environment("SHELL").value_or("");
  if (shell.empty()) {
    shell = "/bin/sh";
  }
  return run(global, {{std::move(shell)}, &options.policy});
}

}  // namespace shadow::cli
