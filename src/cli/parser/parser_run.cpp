// SPDX-License-Identifier: MIT
// `run` and `shell`.

#include "shadow/error.hpp"

#include "cli/parser/parser_verbs.hpp"

#include <memory>
#include <utility>

namespace shadow::cli {

namespace {

void declare_policy(Binder& binder, PolicyFlags& policy) {
  binder.value("--profile", "default|strict|agent", policy.profile, "start from this profile");
  binder.value("--net", "host|none|allow:HOST[:PORT],...", policy.net, "the command's network");
  binder.values("--ro", "PATH", policy.read_only,
                "make this path read-only, or show this host path");
  binder.values("--rw", "PATH", policy.read_write,
                "let the command write to this real path, unreviewed");
  binder.values("--hide", "PATH", policy.hide, "hide this path from the command");
  binder.value("--home", "auto|overlay|private|ro|allow", policy.home,
               "the command's home directory");
  binder.values("--env", "NAME[=VALUE]", policy.env, "pass on or set a variable");
  binder.values("--unset", "NAME", policy.unset, "withhold a variable");
  binder.flag("--clear-env", policy.clear_env, "withhold every variable that is not named");
  binder.value("--memory", "SIZE", policy.memory, "limit the memory of all processes together");
  binder.value("--cpus", "NUMBER", policy.cpus,
               "limit processor time to that of NUMBER processors");
  binder.value("--pids", "NUMBER", policy.pids, "limit the number of processes and threads");
  binder.value("--tmp-size", "SIZE", policy.tmp_size, "limit the size of /tmp");
  binder.value("--file-size", "SIZE", policy.file_size, "limit the size of each written file");
  binder.value("--open-files", "NUMBER", policy.open_files,
               "limit the descriptors of each process");
  binder.value("--timeout", "DURATION", policy.timeout, "end the command after this time");
  binder.value("--only", "FILE", policy.only, "show the command only this file of the project");
  binder.flag("--hide-secrets", policy.hide_secrets, "hide files of the project such as .env");
  binder.flag("--die-with-parent", policy.die_with_parent,
              "end the command when shadow's parent ends");
  binder.flag("--no-die-with-parent", policy.no_die_with_parent, "let it go on");
  binder.flag("--print-policy", policy.print_policy, "print the policy, run nothing");
}

}  // namespace

VerbParser declare_run_verb(std::string_view verb, Binder& binder) {
  VerbParser parser;
  if (verb == "run") {
    auto options = std::make_shared<RunOptions>();
    declare_policy(binder, options->policy);
    parser.positionals = Positionals::FirstEndsOptions;
    parser.finish = [options](std::vector<std::string> words) -> Verb {
      if (words.empty() && !options->policy.print_policy) {
        throw Error{"cannot run anything: no command was given",
                    "write it after the options: shadow run -- make test"};
      }
      options->argv = std::move(words);
      return *options;
    };
  } else if (verb == "shell") {
    auto options = std::make_shared<ShellOptions>();
    declare_policy(binder, options->policy);
    parser.finish = [options](const std::vector<std::string>& /*words*/) -> Verb {
      return *options;
    };
  }
  return parser;
}

}  // namespace shadow::cli
