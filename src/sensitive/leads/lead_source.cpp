// SPDX-License-Identifier: MIT
#include "sensitive/leads/lead_source.hpp"

#include "base/tool_files.hpp"
#include "base/words.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/script_names.hpp"
#include "sys/files/beneath.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace shadow::sensitive {

TextKind kind_of_leading(const LeadingName& rule, const std::string& file,
                         const std::string& text) {
  const bool imports = rule.to == LeadsTo::Programs && is_javascript(file);
  const bool zig = file.ends_with("build.zig");
  const bool editor = file.ends_with(".vscode/settings.json") ||
                      file.ends_with(".zed/settings.json") || file.ends_with(".code-workspace");
  return file.ends_with("ansible.cfg") ? TextKind::Places
         : rule.words                  ? TextKind::Words
         : editor                      ? TextKind::Values
         : imports || zig              ? TextKind::Imports
                                       : kind_of_script(file, text);
}

bool is_of_shell(std::string_view file, std::string_view text) {
  constexpr std::array<std::string_view, 3> kEndings = {"sh", "rc", ".env"};
  if (text.starts_with("#!")) {
    return text.substr(0, text.find('\n')).find("sh") != std::string_view::npos;
  }
  const std::string_view name = sys::split_path(file).name;
  return name.find('.', 1) == std::string_view::npos || has_end(name, kEndings);
}

std::vector<NamedPath> places_stood_in(const LeadSource& source) {
  const std::string& text = source.text;
  if (!source.of_shell || !is_of_shell({}, text)) {
    return {};
  }
  const bool moves = source.bases.size() > source.own;
  const bool to_itself =
      text.find("cd ") != std::string::npos &&
      (text.find("dirname") != std::string::npos || text.find("0%/*") != std::string::npos ||
       text.find("SOURCE%/*") != std::string::npos);
  std::vector<NamedPath> found;
  const auto add = [&](const std::string& directory) {
    found.push_back(named_path(directory, source.reason, Reach::Below));
    found.back().right_in = true;
  };
  for (std::size_t i = moves ? source.own : 0; i < source.bases.size() && (moves || !to_itself);
       ++i) {
    add(source.bases[i]);
  }
  if (to_itself && !source.bases.empty()) {
    add(source.bases.front());
  }
  return found;
}

std::string manner_of(const Mention& one) {
  std::string manner{one.right_in ? "\n" : ""};
  manner += one.if_fresh ? "\r" : "";
  manner += one.can_run ? "\t" : "";
  return manner;
}

NamedPath of_variable(NamedPath named, const Mention& one) {
  named.right_in = one.right_in;
  named.if_fresh = one.if_fresh;
  named.can_run = one.can_run;
  return named;
}

bool are_settings_named_by(const LeadSource& source, const std::string& path) {
  return source.steps == 0 && source.kind == TextKind::Script && is_name_of_settings(path) &&
         !is_tool_file(folded_name(sys::split_path(path).name));
}

std::vector<std::string> beside(const std::string& file) {
  std::vector<std::string> bases;
  std::string_view directory = sys::split_path(file).parent;
  for (; !directory.empty(); directory = sys::split_path(directory).parent) {
    bases.emplace_back(directory);
  }
  bases.emplace_back();
  return bases;
}

}  // namespace shadow::sensitive
