// SPDX-License-Identifier: MIT
#include "sensitive/parts/settings_mentions.hpp"

#include "sensitive/parts/editor_settings.hpp"
#include "sensitive/parts/git_settings.hpp"
#include "sensitive/parts/ini_places.hpp"

#include <utility>

namespace shadow::sensitive {

namespace {

SettingsMentions mentions_in_git_configuration(std::string_view text) {
  GitSettings settings = git_settings(text);
  SettingsMentions mentions{{}, std::move(settings.commands)};
  const auto add = [&mentions](std::string& path, bool below) {
    mentions.found.push_back({std::move(path), below});
    mentions.found.back().of_variable = true;
  };
  for (std::string& tree : settings.trees) {
    add(tree, true);
  }
  for (std::string& file : settings.files) {
    add(file, false);
  }
  return mentions;
}

}  // namespace

SettingsMentions settings_mentions(std::string_view text, TextKind kind) {
  if (kind == TextKind::GitConfig) {
    return mentions_in_git_configuration(text);
  }
  SettingsMentions mentions{{}, std::string{text}};
  PlacesOfSettings places = kind == TextKind::Places ? PlacesOfSettings{places_of_ini(text), {}}
                                                     : places_of_settings(text);
  for (std::string& one : places.any) {
    mentions.found.push_back({std::move(one)});
    mentions.found.back().can_run = true;
  }
  for (std::string& one : places.arguments) {
    mentions.found.push_back({std::move(one)});
    mentions.found.back().run = true;
  }
  return mentions;
}

}  // namespace shadow::sensitive
