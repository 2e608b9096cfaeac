// SPDX-License-Identifier: MIT
#include "policy/config_file.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "policy/config_keys.hpp"
#include "policy/policy_values.hpp"
#include "policy/trusted_file.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::policy {
namespace {

constexpr std::uint64_t kMostOfConfig = 1U << 20U;

std::string project_path(const toml::key& key, const ConfigSource& source) {
  try {
    return parse_path_rule(Access::ReadOnly, key.str(), "project", source.origin, *source.places)
        .path;
  } catch (const Error& error) {
    config_error(source, key.source(), error.what(), error.hint());
  }
}

// The project's path is canonical; the user may know it by one that leads there by links.
bool is_project(const std::string& path, const std::string& project) {
  return path == project || sys::real_path(path) == project;
}

// Only the table of this very project: a rule for a directory says nothing about one inside it.
void read_project(const toml::node& projects, const ConfigSource& global, Config& config) {
  const toml::table* tables = projects.as_table();
  if (tables == nullptr) {
    config_error(global, projects.source(), "'project' must be a table: [project.\"/its/path\"]");
  }
  for (const auto& item : *tables) {
    const ConfigSource source{global.file, global.places, Origin::ProjectConfig};
    const toml::table* table = item.second.as_table();
    if (table == nullptr) {
      config_error(source, item.second.source(),
                   "a project must be a table: [project.\"/its/path\"]");
    }
    PolicyLayer layer;
    Config aside;
    read_config_table(*table, source, layer, aside);
    if (is_project(project_path(item.first, source), source.places->project)) {
      config.layers.push_back(std::move(layer));
      if (aside.agent) {
        config.agent = std::move(aside.agent);
      }
      if (aside.on_conflict) {
        config.on_conflict = std::move(aside.on_conflict);
      }
      config.sensitive.insert(config.sensitive.end(), aside.sensitive.begin(),
                              aside.sensitive.end());
    }
  }
}

// nullopt when there is none.
std::optional<std::string> read_file(const std::string& file) {
  if (file.empty()) {
    return std::nullopt;
  }
  check_nobody_else_writes(file);
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, file, O_RDONLY | O_NONBLOCK);
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return std::nullopt;
    }
    throw_errno("open " + quoted(file));
  }
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    throw Error{"cannot read " + quoted(file) + ": not a regular file"};
  }
  return sys::read_all(fd.get(), kMostOfConfig);
}

toml::table parse_toml(std::string_view text, const ConfigSource& source) {
  try {
    return toml::parse(text, source.file);
  } catch (const toml::parse_error& error) {
    config_error(source, error.source(), std::string{error.description()},
                 "this is TOML: text is written in quotes, as in net = \"none\"");
  } catch (const BrokenToml&) {
    throw Error{"cannot read " + quoted(source.file) + ": not TOML"};
  }
}

}  // namespace

std::string config_path(const std::string& home) {
  const std::optional<std::string> directory = sys::environment("XDG_CONFIG_HOME");
  // The XDG base directory specification: a relative path is to be ignored.
  if (directory && directory->starts_with('/')) {
    return *directory + "/shadow/config.toml";
  }
  return home.empty() ? std::string{} : home + "/.config/shadow/config.toml";
}

Config load_config(const PolicyPlaces& places) {
  const std::string file = config_path(places.home);
  const auto text = read_file(file);
  return text ? parse_config(*text, file, places) : Config{};
}

std::optional<std::string> configured_state_dir() {
  PolicyPlaces places;
  places.home = sys::environment("HOME").value_or("");
  const std::string file = config_path(places.home);
  const auto text = read_file(file);
  // Most have no such key: the file is parsed once then, when the project is known.
  if (!text || text->find("state") == std::string::npos) {
    return std::nullopt;
  }
  const ConfigSource source{file, &places, Origin::GlobalConfig};
  const toml::table table = parse_toml(*text, source);
  const toml::node* value = table.get("state_dir");
  value = value == nullptr ? table.get("state-dir") : value;
  return value == nullptr ? std::nullopt : std::optional{read_state_dir(*value, source)};
}

Config parse_config(std::string_view text, const std::string& file, const PolicyPlaces& places) {
  const ConfigSource source{file, &places, Origin::GlobalConfig};
  const toml::table table = parse_toml(text, source);
  Config config;
  PolicyLayer layer;
  read_config_table(table, source, layer, config);
  config.layers.push_back(std::move(layer));
  if (const toml::node* projects = table.get("project")) {
    read_project(*projects, source, config);
  }
  return config;
}

std::optional<std::string> project_config_present(int project) {
  constexpr std::array kNames = {".shadow.toml", "shadow.toml", ".shadow/config.toml"};
  for (const char* name : kNames) {
    if (::faccessat(project, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
      return name;
    }
  }
  return std::nullopt;
}

}  // namespace shadow::policy
