// SPDX-License-Identifier: MIT
#include "cli/commands/run.hpp"

#include "shadow/error.hpp"
#include "shadow/policy.hpp"
#include "shadow/run.hpp"
#include "shadow/session.hpp"

#include "base/text.hpp"
#include "cli/policy_layer.hpp"
#include "sandbox/config.hpp"
#include "sys/process.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace shadow::cli {

namespace {

void warn(const std::string& line) {
  (void)std::fprintf(stderr, "shadow: %s\n", line.c_str());
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
  const PolicyPlaces places{sys::environment("HOME").value_or(""), state.path(),
                            request.project.root, request.project.cwd};
  std::vector<PolicyLayer> layers = sandbox::load_config(places).layers;
  layers.push_back(command_line_layer(*wanted.policy, places));
  request.policy = merge_policy(std::move(layers), places);
  check_policy(request.policy, places);
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
