// SPDX-License-Identifier: MIT
#include "policy/config_keys.hpp"

#include "shadow/error.hpp"

#include "base/nearest.hpp"
#include "base/text.hpp"
#include "policy/policy_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace shadow::policy {
namespace {

// The arguments of a key's function: the value, and the places that it may set.
struct Reading {
  const ConfigSource& source;
  const toml::node& value;
  std::string_view key;
  PolicyLayer& layer;
  Config& config;

  [[noreturn]] void wrong(const char* expected) const {
    config_error(source, value.source(), fmt::format("'{}' must be {}", key, expected));
  }
  [[nodiscard]] std::string text() const {
    if (const auto* string = value.as_string()) {
      return string->get();
    }
    wrong("a string");
  }
  [[nodiscard]] bool yes_no() const {
    if (const auto* boolean = value.as_boolean()) {
      return boolean->get();
    }
    wrong("true or false");
  }
  // A string, or a number as a person would write it in one.
  [[nodiscard]] std::string amount() const {
    if (const auto* integer = value.as_integer()) {
      return std::to_string(integer->get());
    }
    if (const auto* real = value.as_floating_point()) {
      return fmt::format("{}", real->get());
    }
    if (const auto* string = value.as_string()) {
      return string->get();
    }
    wrong("a number or a string");
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> list;
    const auto* array = value.as_array();
    if (array == nullptr) {
      wrong("a list of strings");
    }
    for (const toml::node& item : *array) {
      const auto* string = item.as_string();
      if (string == nullptr) {
        wrong("a list of strings");
      }
      list.push_back(string->get());
    }
    return list;
  }
};

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

template <Access kAccess>
void read_paths(const Reading& reading) {
  for (const std::string& path : reading.texts()) {
    reading.layer.paths.push_back(
        parse_path_rule(kAccess, path, reading.key, reading.source.origin, *reading.source.places));
  }
}

template <LimitKind kKind>
void read_limit(const Reading& reading) {
  reading.layer.limit(kKind) = parse_limit(kKind, reading.amount(), reading.key);
}

void read_env(const Reading& reading) {
  for (const std::string& text : reading.texts()) {
    reading.layer.env.push_back(parse_env(text, reading.key, reading.source.origin));
  }
}

void read_unset(const Reading& reading) {
  for (const std::string& text : reading.texts()) {
    reading.layer.env.push_back(parse_unset(text, reading.key, reading.source.origin));
  }
}

void read_retention(const Reading& reading) {
  const auto* days = reading.value.as_integer();
  if (days == nullptr || days->get() < 1 || days->get() > std::numeric_limits<int>::max()) {
    reading.wrong("a number of days above 0");
  }
  reading.config.retention_days = static_cast<int>(days->get());
}

void read_pager(const Reading& reading) {
  const std::string pager = reading.text();
  if (pager != "auto" && pager != "none") {
    reading.wrong(R"("auto" or "none")");
  }
  reading.config.pager = pager == "auto";
}

void read_agent(const Reading& reading) {
  std::string name = reading.text();
  if (name.empty()) {
    reading.wrong("the name of an agent");
  }
  reading.config.agent = std::move(name);
}

// Words that take one side for all files, or leave markers in them, must be given each time.
void read_on_conflict(const Reading& reading) {
  const std::vector<std::string> words{"merge", "stop", "skip"};
  std::string word = reading.text();
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    const auto near = nearest(word, words);
    throw Error{fmt::format(R"('{}' must be "merge", "stop" or "skip")", reading.key),
                near ? fmt::format("did you mean \"{}\"?", *near) : std::string{}};
  }
  reading.config.on_conflict = std::move(word);
}

enum class Where : std::uint8_t { Anywhere, GlobalOnly, ProjectOnly };

struct Key {
  std::string_view name;
  void (*read)(const Reading&);
  Where where = Where::Anywhere;
};

// In the order of shadow-run(1); `_` for the `-` of the options.
constexpr std::array kKeys = {
    Key{"profile", [](const Reading& r) { r.layer.profile = r.text(); }},
    Key{"net", [](const Reading& r) { r.layer.net = parse_network(r.text(), r.key); }},
    Key{"ro", read_paths<Access::ReadOnly>}, Key{"rw", read_paths<Access::ReadWrite>},
    Key{"hide", read_paths<Access::Hidden>},
    Key{"home", [](const Reading& r) { r.layer.home = parse_home_mode(r.text(), r.key); }},
    Key{"env", read_env}, Key{"unset", read_unset},
    Key{"clear_env", [](const Reading& r) { r.layer.clear_env = r.yes_no(); }},
    Key{"hide_secrets", [](const Reading& r) { r.layer.hide_secrets = r.yes_no(); }},
    Key{"secret_patterns", [](const Reading& r) { append(r.layer.secret_patterns, r.texts()); }},
    Key{"secrets", [](const Reading& r) { append(r.layer.secrets, r.texts()); }},
    Key{"memory", read_limit<LimitKind::Memory>}, Key{"cpus", read_limit<LimitKind::Cpus>},
    Key{"pids", read_limit<LimitKind::Pids>}, Key{"tmp_size", read_limit<LimitKind::TmpSize>},
    Key{"file_size", read_limit<LimitKind::FileSize>},
    Key{"open_files", read_limit<LimitKind::OpenFiles>},
    Key{"timeout", read_limit<LimitKind::Timeout>},
    Key{"die_with_parent", [](const Reading& r) { r.layer.die_with_parent = r.yes_no(); }},
    Key{"as", read_agent, Where::ProjectOnly},
    Key{"sensitive", [](const Reading& r) { append(r.config.sensitive, r.texts()); }},
    Key{"on_conflict", read_on_conflict}, Key{"retention_days", read_retention, Where::GlobalOnly},
    // Judged here, used by configured_state_dir().
    Key{"state_dir", [](const Reading& r) { (void)read_state_dir(r.value, r.source); },
        Where::GlobalOnly},
    Key{"pager", read_pager, Where::GlobalOnly}};

std::string near_name(std::string_view name) {
  std::vector<std::string> names{"project"};
  for (const Key& key : kKeys) {
    names.emplace_back(key.name);
  }
  const auto best = nearest(name, names);
  return best ? fmt::format("did you mean '{}'?", *best)
              : "shadow(1), CONFIGURATION, lists the keys";
}

}  // namespace

void config_error(const ConfigSource& source, const toml::source_region& where,
                  const std::string& why, const std::string& hint) {
  throw Error{fmt::format("cannot read {} line {}: {}", quoted(source.file), where.begin.line, why),
              hint};
}

std::string read_state_dir(const toml::node& value, const ConfigSource& source) {
  const auto* text = value.as_string();
  if (text == nullptr) {
    config_error(source, value.source(), "'state_dir' must be a string");
  }
  if (text->get() == kStateInMemory) {
    return text->get();
  }
  try {
    return parse_path_rule(Access::ReadWrite, text->get(), "state_dir", source.origin,
                           *source.places)
        .path;
  } catch (const Error& error) {
    config_error(source, value.source(), error.what(), error.hint());
  }
}

void read_config_table(const toml::table& table, const ConfigSource& source, PolicyLayer& layer,
                       Config& config) {
  layer.origin = source.origin;
  for (const auto& item : table) {
    const toml::node& value = item.second;
    const std::string_view spelled = item.first.str();
    if (spelled == "project" && source.origin == Origin::GlobalConfig) {
      continue;
    }
    std::string name{spelled};
    std::replace(name.begin(), name.end(), '-', '_');
    const auto* key = std::find_if(kKeys.begin(), kKeys.end(),
                                   [&](const Key& known) { return known.name == name; });
    if (key == kKeys.end()) {
      config_error(source, item.first.source(), "unknown key " + quoted(spelled), near_name(name));
    }
    if (key->where == Where::GlobalOnly && source.origin != Origin::GlobalConfig) {
      config_error(source, item.first.source(),
                   quoted(spelled) + " does not belong to a project, but before the tables");
    }
    if (key->where == Where::ProjectOnly && source.origin == Origin::GlobalConfig) {
      config_error(source, item.first.source(),
                   quoted(spelled) + R"( belongs to a project: [project."/its/path"])");
    }
    try {
      key->read({source, value, spelled, layer, config});
    } catch (const Error& error) {
      // The values' own parsers know neither file nor line.
      const std::string what = error.what();
      if (what.find(quoted(source.file)) != std::string::npos) {
        throw;
      }
      config_error(source, value.source(), what, error.hint());
    }
  }
}

}  // namespace shadow::policy
