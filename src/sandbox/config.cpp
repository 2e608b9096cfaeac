// SPDX-License-Identifier: MIT
#include "sandbox/config.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/config_keys.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr std::uint64_t kMostBytes = 1U << 20U;

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
  if (path == project) {
    return true;
  }
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  return real && project == real.get();
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
      config.sensitive.insert(config.sensitive.end(), aside.sensitive.begin(),
                              aside.sensitive.end());
    }
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
  if (file.empty()) {
    return {};
  }
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, file, O_RDONLY | O_NONBLOCK);
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return {};
    }
    throw_errno("open " + quoted(file));
  }
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    throw Error{"cannot read " + quoted(file) + ": not a regular file"};
  }
  return parse_config(sys::read_all(fd.get(), kMostBytes), file, places);
}

Config parse_config(std::string_view text, const std::string& file, const PolicyPlaces& places) {
  const ConfigSource source{file, &places, Origin::GlobalConfig};
  toml::table table;
  try {
    table = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    config_error(source, error.source(), std::string{error.description()});
  } catch (const BrokenToml&) {
    throw Error{"cannot read " + quoted(file) + ": not TOML"};
  }
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

}  // namespace shadow::sandbox
