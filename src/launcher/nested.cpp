// SPDX-License-Identifier: MIT
#include "launcher/nested.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "launcher/policy_layer.hpp"
#include "policy/merge_policy.hpp"
#include "policy/policy.hpp"
#include "sandbox/process/environment.hpp"
#include "sandbox/process/execute.hpp"

#include <array>
#include <utility>

#include <unistd.h>

namespace shadow::launcher {

namespace {

// The first option that cannot hold here; "" when all can. What asks for no more than a run has
// anyway is none.
std::string out_of_place(const cli::PolicyFlags& flags) {
  const auto other_than = [](const std::optional<std::string>& said, std::string_view usual) {
    return said && *said != usual;
  };
  const std::array<std::pair<const char*, bool>, 18> options = {
      {{"--profile", other_than(flags.profile, "default")},
       {"--net", other_than(flags.net, "host")},
       {"--home", other_than(flags.home, "auto")},
       {"--ro", !flags.read_only.empty()},
       {"--rw", !flags.read_write.empty()},
       {"--hide", !flags.hide.empty()},
       {"--memory", other_than(flags.memory, "none")},
       {"--cpus", other_than(flags.cpus, "none")},
       {"--pids", other_than(flags.pids, "none")},
       {"--tmp-size", other_than(flags.tmp_size, "none")},
       {"--file-size", other_than(flags.file_size, "none")},
       {"--open-files", other_than(flags.open_files, "none")},
       {"--timeout", other_than(flags.timeout, "none")},
       {"--only", flags.only.has_value()},
       {"--hide-secrets", flags.hide_secrets},
       {"--die-with-parent", flags.die_with_parent},
       {"--no-die-with-parent", false},
       {"--print-policy", flags.print_policy}}};
  for (const auto& [name, given] : options) {
    if (given) {
      return name;
    }
  }
  return {};
}

std::vector<std::string> environment_of(const session::InsideOf& inside,
                                        const cli::PolicyFlags& flags) {
  cli::PolicyFlags only;
  only.env = flags.env;
  only.unset = flags.unset;
  only.clear_env = flags.clear_env;
  const policy::Policy policy = policy::merge_policy({command_line_layer(only, {})}, {});
  // The outer run's rules have been applied already, so its rules withhold nothing again.
  return sandbox::change_environment(environ, policy, inside.session, inside.agent);
}

}  // namespace

void refuse_inside(const session::InsideOf& inside, const std::string& verb) {
  throw Error{"cannot do 'shadow " + verb + "' here: this is the inside of the session of " +
                  quoted(inside.agent) + ", which is reviewed from outside",
              "in a terminal of your own: shadow --as " + shell_quoted(inside.agent) + " " +
                  (verb == "apply" || verb == "discard" ? verb : std::string{"status"})};
}

void run_nested(const session::InsideOf& inside, const cli::GlobalOptions& global,
                const cli::PolicyFlags& flags, const std::vector<std::string>& argv) {
  if (const std::string option = out_of_place(flags); !option.empty()) {
    throw Error{"cannot take " + option + " inside of a run: what the session of " +
                    quoted(inside.agent) + " may do was set from outside",
                "leave it out, or give it to the outer 'shadow run'", ExitCode::NotStarted};
  }
  if (global.agent && *global.agent != inside.agent) {
    throw Error{"cannot run as " + quoted(*global.agent) +
                    ": this is the inside of the session of " + quoted(inside.agent),
                "leave --as out, or start it outside", ExitCode::NotStarted};
  }
  const int error =
      session::run_inside(inside, global.directory, argv, environment_of(inside, flags));
  throw sandbox::failure_to_execute(argv[0], error);
}

}  // namespace shadow::launcher
