// SPDX-License-Identifier: MIT
#include "sensitive/leads/lead_source.hpp"

#include "sys/files/beneath.hpp"

#include <string_view>

namespace shadow::sensitive {

TextKind kind_of_leading(const LeadingName& rule, const std::string& file,
                         const std::string& text) {
  const bool imports = rule.to == LeadsTo::Programs && is_javascript(file);
  const bool zig = file.ends_with("build.zig");
  return rule.words       ? TextKind::Words
         : imports || zig ? TextKind::Imports
                          : kind_of_script(file, text);
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
