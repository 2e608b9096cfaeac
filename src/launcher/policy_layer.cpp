// SPDX-License-Identifier: MIT
#include "launcher/policy_layer.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "policy/policy_values.hpp"

#include <algorithm>

namespace shadow::launcher {

using policy::Access;
using policy::EnvRule;
using policy::LimitKind;
using policy::PolicyLayer;

namespace {

constexpr policy::Origin kOrigin = policy::Origin::CommandLine;

void set_limit(PolicyLayer& layer, LimitKind kind, const std::optional<std::string>& text,
               std::string_view option) {
  if (text) {
    layer.limit(kind) = policy::parse_limit(kind, *text, option);
  }
}

void add_paths(PolicyLayer& layer, Access access, const std::vector<std::string>& paths,
               std::string_view option, const policy::PolicyPlaces& places) {
  for (const std::string& path : paths) {
    layer.paths.push_back(policy::parse_path_rule(access, path, option, kOrigin, places));
  }
}

// In which order they were given is not known here, so neither can be the one that is meant. What
// is hidden as well is hidden.
void refuse_two_of_one_path(const PolicyLayer& layer) {
  for (const policy::PathRule& rule : layer.paths) {
    const bool both =
        rule.access == Access::ReadOnly &&
        std::any_of(layer.paths.begin(), layer.paths.end(),
                    [&rule](const policy::PathRule& candidate) {
                      return candidate.path == rule.path && candidate.access == Access::ReadWrite;
                    });
    if (both) {
      throw Error{"cannot take both --ro and --rw of " + quoted(rule.path)};
    }
  }
}

void refuse_set_and_unset(const PolicyLayer& layer) {
  for (const EnvRule& rule : layer.env) {
    const bool both =
        rule.action == EnvRule::Action::Unset &&
        std::any_of(layer.env.begin(), layer.env.end(), [&rule](const EnvRule& candidate) {
          return candidate.name == rule.name && candidate.action != EnvRule::Action::Unset;
        });
    if (both) {
      throw Error{"cannot take both --env and --unset of " + quoted(rule.name)};
    }
  }
}

}  // namespace

PolicyLayer command_line_layer(const cli::PolicyFlags& flags, const policy::PolicyPlaces& places) {
  PolicyLayer layer;
  layer.origin = kOrigin;
  layer.profile = flags.profile;
  if (flags.net) {
    layer.net = policy::parse_network(*flags.net, "--net");
  }
  if (flags.home) {
    layer.home = policy::parse_home_mode(*flags.home, "--home");
  }
  if (flags.clear_env) {
    layer.clear_env = true;
  }
  if (flags.hide_secrets) {
    layer.hide_secrets = true;
  }
  if (flags.die_with_parent && flags.no_die_with_parent) {
    throw Error{"cannot take both --die-with-parent and --no-die-with-parent"};
  }
  if (flags.die_with_parent || flags.no_die_with_parent) {
    layer.die_with_parent = flags.die_with_parent;
  }
  if (flags.only) {
    layer.only =
        policy::parse_path_rule(Access::ReadWrite, *flags.only, "--only", kOrigin, places).path;
  }
  add_paths(layer, Access::ReadOnly, flags.read_only, "--ro", places);
  add_paths(layer, Access::ReadWrite, flags.read_write, "--rw", places);
  add_paths(layer, Access::Hidden, flags.hide, "--hide", places);
  refuse_two_of_one_path(layer);
  for (const std::string& text : flags.env) {
    layer.env.push_back(policy::parse_env(text, "--env", kOrigin));
  }
  for (const std::string& text : flags.unset) {
    layer.env.push_back(policy::parse_unset(text, "--unset", kOrigin));
  }
  refuse_set_and_unset(layer);
  set_limit(layer, LimitKind::Memory, flags.memory, "--memory");
  set_limit(layer, LimitKind::Cpus, flags.cpus, "--cpus");
  set_limit(layer, LimitKind::Pids, flags.pids, "--pids");
  set_limit(layer, LimitKind::TmpSize, flags.tmp_size, "--tmp-size");
  set_limit(layer, LimitKind::Timeout, flags.timeout, "--timeout");
  set_limit(layer, LimitKind::FileSize, flags.file_size, "--file-size");
  set_limit(layer, LimitKind::OpenFiles, flags.open_files, "--open-files");
  return layer;
}

}  // namespace shadow::launcher
