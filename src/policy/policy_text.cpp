// SPDX-License-Identifier: MIT
// A policy as text for people, as JSON, and as the record of a run keeps it.
#include "policy/policy_text.hpp"

#include "shadow/records.hpp"

#include "base/text.hpp"
#include "policy/policy.hpp"
#include "policy/policy_values.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace shadow::policy {
namespace {

using Json = nlohmann::ordered_json;

// The record of a policy that is the built-in one.
constexpr const char* kWithoutSettings = R"({"profile":"default"})";

std::string line(std::string_view name, std::string_view value, std::string_view origin) {
  return fmt::format("{:<16} {:<40} {}\n", name, value, origin);
}

std::string line(std::string_view name, std::string_view value, Origin origin) {
  return line(name, value, name_of(origin));
}

// JSON is UTF-8; a path need not be. What is not UTF-8 is shown as U+FFFD.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json setting(const Json& value, Origin origin) {
  return Json{{"value", value}, {"origin", name_of(origin)}};
}

Json limit_value(std::uint64_t amount) {
  return amount == 0 ? Json{} : Json(amount);
}

// The unit is in the key, so that a reader of the JSON need not guess.
std::string_view limit_key(LimitKind kind) {
  constexpr std::array<std::string_view, kLimitKinds> kLimitKeys = {
      "memory_bytes",    "milli_cpus", "pids",      "tmp_size_bytes",
      "file_size_bytes", "open_files", "timeout_ns"};
  return kLimitKeys.at(static_cast<std::size_t>(kind));
}

bool deviates(Origin origin) {
  return origin > Origin::Profile;
}

template <class Rule>
std::vector<const Rule*> deviating(const std::vector<Rule>& rules) {
  std::vector<const Rule*> found;
  for (const Rule& rule : rules) {
    if (deviates(rule.origin)) {
      found.push_back(&rule);
    }
  }
  return found;
}

// The settings in force, from any source: the log answers "could this run reach the network?"
// without knowing the profile of that time.
void record_settings(Json& json, const Policy& policy) {
  if (policy.net.value.network != Network::Host) {
    json["net"] = name_of(policy.net.value);
  }
  if (policy.home.value != HomeMode::Auto) {
    json["home"] = name_of(policy.home.value);
  }
  if (policy.clear_env.value) {
    json["clear_env"] = true;
  }
  if (policy.hide_secrets.value) {
    json["hide_secrets"] = true;
  }
  if (!policy.only.value.empty()) {
    json["only"] = policy.only.value;
  }
  for (const LimitKind kind : kAllLimits) {
    if (policy.amount(kind) != 0) {
      json[std::string{limit_key(kind)}] = policy.amount(kind);
    }
  }
}

}  // namespace

std::string policy_text(const Policy& policy, const Circumstances& here) {
  std::string text = line("profile", policy.profile.value, policy.profile.origin);
  text += line("net", name_of(policy.net.value), policy.net.origin);
  text += line("home", name_of(policy.home.value), policy.home.origin);
  text +=
      line("environment", policy.clear_env.value ? "cleared" : "filtered", policy.clear_env.origin);
  text +=
      line("hide-secrets", policy.hide_secrets.value ? "yes" : "no", policy.hide_secrets.origin);
  text += line("die-with-parent", policy.die_with_parent.value ? "yes" : "no",
               policy.die_with_parent.origin);
  if (!policy.only.value.empty()) {
    text += line("only", printable(policy.only.value), policy.only.origin);
  }
  for (const LimitKind kind : kAllLimits) {
    const auto& limit = policy.limit(kind);
    text += line(name_of(kind), limit_text(kind, limit.value), limit.origin);
  }
  for (const PathRule& rule : policy.paths) {
    text += line(name_of(rule.access), printable(rule.path), rule.origin);
  }
  for (const std::string& path : policy.missing) {
    text += line("missing", printable(path), Origin::Profile);
  }
  for (const EnvRule& rule : policy.env) {
    const bool set = rule.action == EnvRule::Action::Set;
    text += line("env",
                 fmt::format("{} {}{}{}", name_of(rule.action), printable(rule.name),
                             set ? "=" : "", printable(rule.value)),
                 rule.origin);
  }
  for (const WithheldVariable& variable : here.withheld) {
    text += line("env", "keep back " + printable(variable.name), variable.origin);
  }
  for (const std::string& path : policy.secrets) {
    text += line("secret", printable(path), Origin::GlobalConfig);
  }
  for (const std::string& pattern : policy.secret_patterns) {
    text += line("secret-pattern", printable(pattern), Origin::GlobalConfig);
  }
  for (const std::string& gap : here.open) {
    text += line("left open", gap, "this kernel");
  }
  if (here.rights_over) {
    text += line("rights", fmt::format("root's over files of user {}", *here.rights_over),
                 "the project's owner");
  }
  return text;
}

std::string policy_json(const Policy& policy, const Circumstances& here) {
  Json json;
  json["profile"] = setting(policy.profile.value, policy.profile.origin);
  json["net"] = setting(name_of(policy.net.value), policy.net.origin);
  json["home"] = setting(name_of(policy.home.value), policy.home.origin);
  json["clear_env"] = setting(policy.clear_env.value, policy.clear_env.origin);
  json["hide_secrets"] = setting(policy.hide_secrets.value, policy.hide_secrets.origin);
  json["die_with_parent"] = setting(policy.die_with_parent.value, policy.die_with_parent.origin);
  json["only"] =
      setting(policy.only.value.empty() ? Json{} : Json(policy.only.value), policy.only.origin);
  for (const LimitKind kind : kAllLimits) {
    const auto& limit = policy.limit(kind);
    json["limits"][std::string{limit_key(kind)}] = setting(limit_value(limit.value), limit.origin);
  }
  json["paths"] = Json::array();
  for (const PathRule& rule : policy.paths) {
    json["paths"].push_back(
        {{"access", name_of(rule.access)}, {"path", rule.path}, {"origin", name_of(rule.origin)}});
  }
  json["missing"] = policy.missing;
  json["env_kept_back"] = Json::array();
  for (const WithheldVariable& variable : here.withheld) {
    json["env_kept_back"].push_back(
        {{"name", variable.name}, {"origin", name_of(variable.origin)}});
  }
  json["env"] = Json::array();
  for (const EnvRule& rule : policy.env) {
    Json item{{"action", name_of(rule.action)}, {"name", rule.name}};
    if (rule.action == EnvRule::Action::Set) {
      item["value"] = rule.value;
    }
    item["origin"] = name_of(rule.origin);
    json["env"].push_back(std::move(item));
  }
  json["secrets"] = policy.secrets;
  json["secret_patterns"] = policy.secret_patterns;
  json["left_open"] = here.open;
  json["rights_over"] = here.rights_over ? Json(*here.rights_over) : Json{};
  return dump(json);
}

std::string policy_record(const Policy& policy) {
  static const Policy built_in;
  if (policy == built_in) {
    return kWithoutSettings;
  }
  Json json;
  json["profile"] = policy.profile.value;
  record_settings(json, policy);
  for (const PathRule& rule : policy.paths) {
    // Writable paths are outside of review, whoever named them.
    if (deviates(rule.origin) || rule.access == Access::ReadWrite) {
      json[std::string{name_of(rule.access)}].push_back(rule.path);
    }
  }
  for (const EnvRule* rule : deviating(policy.env)) {
    json["env_" + std::string{name_of(rule->action)}].push_back(rule->name);
  }
  return dump(json);
}

}  // namespace shadow::policy

namespace shadow {

bool has_settings(const RunRecord& run) {
  return run.policy != policy::kWithoutSettings;
}

std::vector<std::string> writable_paths(const RunRecord& run) {
  std::vector<std::string> paths;
  const auto recorded = policy::Json::parse(run.policy, nullptr, false);
  const auto found = recorded.find(std::string{policy::name_of(policy::Access::ReadWrite)});
  if (found != recorded.end() && found->is_array()) {
    for (const policy::Json& path : *found) {
      paths.push_back(path.is_string() ? path.get<std::string>() : "?");
    }
  }
  return paths;
}

}  // namespace shadow
