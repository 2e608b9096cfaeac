// SPDX-License-Identifier: MIT
#include "sandbox/process/environment.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sandbox/process/network_proxy.hpp"
#include "sandbox/secrets/secret_variables.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fnmatch.h>

namespace shadow::sandbox {

using policy::EnvRule;
using policy::Origin;
using policy::Policy;

namespace {

// All compared with the name in capitals.
constexpr std::array<std::string_view, 5> kSocketEndings = {"_SOCK", "_SOCKET", "_IPC_HANDLE",
                                                            "_IPC_HOOK", "_IPC_HOOK_CLI"};
constexpr std::array<std::string_view, 10> kStarts = {
    "AWS_",   "AZURE_",  "SSH_",        "DBUS_",          "GPG_",
    "VAULT_", "SECRET_", "OP_SESSION_", "GNOME_KEYRING_", "LISTEN_FD"};
constexpr std::array<std::string_view, 44> kWhole = {
    // displays and desktop sessions
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER",
    "DESKTOP_STARTUP_ID", "PULSE_SERVER", "PIPEWIRE_REMOTE", "I3SOCK", "SWAYSOCK",
    "HYPRLAND_INSTANCE_SIGNATURE",
    // terminals, multiplexers and editors that take commands over a socket
    "TMUX", "TMUX_PANE", "STY", "KITTY_LISTEN_ON", "KITTY_PUBLIC_KEY", "NVIM",
    "NVIM_LISTEN_ADDRESS", "EMACS_SERVER_FILE", "EMACS_SOCKET_NAME", "GIT_ASKPASS",
    "VSCODE_GIT_ASKPASS_MAIN", "VSCODE_GIT_ASKPASS_NODE", "SUDO_ASKPASS",
    // services and logins
    "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "DOCKER_CONFIG",
    "DOCKER_AUTH_CONFIG", "CONTAINER_HOST", "CONTAINER_SSHKEY", "CONTAINERD_ADDRESS", "KUBECONFIG",
    "PGPASSWORD", "PGPASSFILE", "REDISCLI_AUTH", "SSHPASS", "BW_SESSION", "LISTEN_PID",
    "JOURNAL_STREAM", "ACTIONS_RUNTIME_URL", "ACTIONS_ID_TOKEN_REQUEST_URL",
    // where the host keeps the state that the run is not to see
    "SHADOW_STATE_DIR"};

// Variables that --clear-env and the strict profile pass on.
constexpr std::array<std::string_view, 5> kMinimal = {"PATH", "HOME", "TERM", "LANG", "TZ"};

constexpr std::array<std::string_view, 4> kTempNames = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};

template <std::size_t kCount>
bool contains(const std::array<std::string_view, kCount>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool leads_to_socket(std::string_view name) {
  return std::any_of(kSocketEndings.begin(), kSocketEndings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

// A run has its own /tmp and /var/tmp. A temporary directory elsewhere is read-only in the run, and
// one below /tmp (libpam-tmpdir) does not exist there.
bool useless_temp_dir(std::string_view name, std::string_view value, std::string_view project) {
  if (!contains(kTempNames, name) || value == "/tmp" || value == "/var/tmp") {
    return false;
  }
  const bool in_project =
      value.size() > project.size() && value.starts_with(project) && value[project.size()] == '/';
  return !in_project;
}

// Variables that a client passes by its own protocol are no secrets of the caller's.
bool is_withheld_by_value(std::string_view name, std::string_view value) {
  return !name.starts_with("LECTIC_") && is_secret_value(value);
}

bool has_wildcard(const std::string& name) {
  return name.find_first_of("*?[") != std::string::npos;
}

bool rule_names(const EnvRule& rule, const std::string& name) {
  return rule.name == name ||
         (has_wildcard(rule.name) && ::fnmatch(rule.name.c_str(), name.c_str(), 0) == 0);
}

class Builder {
 public:
  Builder(const Policy& policy, EnvironmentFacts facts)
      : policy_{policy}, facts_{std::move(facts)} {}

  void offer(std::string_view variable) {
    const std::size_t equals = variable.find('=', 1);
    if (equals == std::string_view::npos) {
      return;
    }
    const std::string name{variable.substr(0, equals)};
    // The first of two by one name is what getenv(3) finds; a program that looks for the last one
    // would otherwise see a value that no rule has judged.
    if (passes(name, variable.substr(equals + 1)) && !has(name)) {
      result_.emplace_back(variable);
    }
  }

  void set(const std::string& name, const std::string& value) {
    const std::string prefix = name + "=";
    result_.erase(
        std::remove_if(result_.begin(), result_.end(),
                       [&](const std::string& other) { return other.starts_with(prefix); }),
        result_.end());
    result_.push_back(prefix + value);
  }

  void set_rules() {
    for (const EnvRule& rule : policy_.env) {
      if (rule.action == EnvRule::Action::Set) {
        set(rule.name, rule.value);
      }
    }
  }

  // Unless a rule speaks of this very name; a pattern does not reach what shadow itself sets.
  void set_unless_ruled(const std::string& name, const std::string& value) {
    if (std::none_of(policy_.env.begin(), policy_.env.end(),
                     [&](const EnvRule& rule) { return rule.name == name; })) {
      set(name, value);
    }
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(result_); }

  // The setting that withholds this variable; nullopt if it is passed on, or set to another value.
  [[nodiscard]] std::optional<Origin> keeper(const std::string& name,
                                             std::string_view value) const {
    if (const EnvRule* rule = rule_of(name)) {
      return rule->action == EnvRule::Action::Unset ? std::optional{rule->origin} : std::nullopt;
    }
    if (passes(name, value)) {
      return std::nullopt;
    }
    return policy_.clear_env.value ? policy_.clear_env.origin : Origin::BuiltIn;
  }

 private:
  // The strongest rule is the last one.
  [[nodiscard]] const EnvRule* rule_of(const std::string& name) const {
    const auto found = std::find_if(policy_.env.rbegin(), policy_.env.rend(),
                                    [&](const EnvRule& rule) { return rule_names(rule, name); });
    return found == policy_.env.rend() ? nullptr : &*found;
  }

  [[nodiscard]] bool passes(const std::string& name, std::string_view value) const {
    if (const EnvRule* rule = rule_of(name)) {
      return rule->action == EnvRule::Action::Pass;
    }
    if (policy_.clear_env.value) {
      return contains(kMinimal, name);
    }
    return !is_withheld(name) && !is_withheld_by_value(name, value) &&
           !useless_temp_dir(name, value, facts_.project);
  }

  [[nodiscard]] bool has(const std::string& name) const {
    const std::string prefix = name + "=";
    return std::any_of(result_.begin(), result_.end(),
                       [&](const std::string& other) { return other.starts_with(prefix); });
  }

  const Policy& policy_;
  const EnvironmentFacts facts_;
  std::vector<std::string> result_;
};

void set_proxy(Builder& builder, const policy::AllowList& allowed) {
  const std::string proxy = "http://127.0.0.1:" + std::to_string(kProxyPort);
  // In both spellings: curl reads http_proxy in small letters only, others know the capitals alone.
  for (const char* name :
       {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"}) {
    builder.set_unless_ruled(name, proxy);
  }
  // The loopback is the run's own, except for what the list means by that name: the host's.
  std::vector<std::string> direct;
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    if (std::none_of(allowed.begin(), allowed.end(),
                     [&](const policy::AllowedHost& entry) { return entry.host == host; })) {
      direct.emplace_back(host);
    }
  }
  for (const char* name : {"NO_PROXY", "no_proxy"}) {
    builder.set_unless_ruled(name, join(direct, ","));
  }
  // Node.js heeds the others only on request.
  builder.set_unless_ruled("NODE_USE_ENV_PROXY", "1");
}

}  // namespace

bool is_withheld(std::string_view name) {
  const std::string capitals = upper_ascii(name);
  if (leads_to_socket(capitals) || contains(kWhole, capitals)) {
    return true;
  }
  // A client's own protocol: what a tool call hands over, and whose session it is.
  if (name.starts_with("LECTIC_") || name == "SHADOW_INTERLOCUTOR") {
    return false;
  }
  return is_secret_variable(name) ||
         std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return capitals.starts_with(start); });
}

std::vector<std::string> change_environment(const char* const* caller, const Policy& policy,
                                            const std::string& session, const std::string& agent) {
  Policy open = policy;
  if (!policy.clear_env.value) {
    // The weakest: what the outer run let through is through.
    open.env.insert(open.env.begin(), {EnvRule::Action::Pass, "*", {}, Origin::BuiltIn});
  }
  Builder builder{open, {}};
  for (const char* const* variable = caller; *variable != nullptr; ++variable) {
    builder.offer(*variable);
  }
  builder.set_rules();
  builder.set("SHADOW_SESSION", session);
  builder.set("SHADOW_INTERLOCUTOR", agent);
  return builder.take();
}

std::vector<policy::WithheldVariable> withheld_variables(const char* const* caller,
                                                         const Policy& policy,
                                                         const EnvironmentFacts& facts) {
  const Builder builder{policy, facts};
  std::vector<policy::WithheldVariable> kept;
  for (const char* const* variable = caller; *variable != nullptr; ++variable) {
    const std::string_view text{*variable};
    const std::size_t equals = text.find('=', 1);
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string name{text.substr(0, equals)};
    if (const auto origin = builder.keeper(name, text.substr(equals + 1))) {
      kept.push_back({name, *origin});
    }
  }
  return kept;
}

bool called_by_lectic(const char* const* caller) {
  for (const char* const* variable = caller; *variable != nullptr; ++variable) {
    const std::string_view text{*variable};
    for (const std::string_view name : {"LECTIC_INTERLOCUTOR=", "LECTIC_FILE=", "LECTIC_TEMP="}) {
      if (text.starts_with(name)) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> run_environment(const char* const* caller, const Policy& policy,
                                         const EnvironmentFacts& facts) {
  Builder builder{policy, facts};
  for (const char* const* variable = caller; *variable != nullptr; ++variable) {
    builder.offer(*variable);
  }
  builder.set_rules();
  // `git status` otherwise rewrites the index, which copies it up and makes it a change.
  builder.set_unless_ruled("GIT_OPTIONAL_LOCKS", "0");
  builder.set_unless_ruled("PWD", facts.cwd);
  if (policy.net.value.network == policy::Network::Allow) {
    set_proxy(builder, policy.net.value.allowed);
  }
  builder.set("SHADOW_SESSION", facts.session);
  builder.set("SHADOW_INTERLOCUTOR", facts.agent);
  return builder.take();
}

}  // namespace shadow::sandbox
