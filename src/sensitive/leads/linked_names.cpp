// SPDX-License-Identifier: MIT
#include "sensitive/leads/linked_names.hpp"

#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sys/files/beneath.hpp"

#include <optional>
#include <string_view>

namespace shadow::sensitive {

namespace {

struct Why {
  std::string_view reason;
  bool below = false;
  bool leads = false;  // to names below that the list has
};

std::optional<Why> reason_of_listed(const std::string& folded) {
  if (const SensitiveName* rule = find_sensitive_name(folded)) {
    return Why{rule->reason, rule->kind == SensitiveKind::Directory};
  }
  if (const SensitiveName* rule = find_sensitive_below(folded)) {
    return Why{rule->reason, false, true};
  }
  return std::nullopt;
}

std::optional<Why> reason_of_name(const std::string& path, const std::string& above,
                                  const std::vector<std::string>& patterns) {
  const std::string folded = folded_name(path);
  if (auto why = reason_of_listed(folded)) {
    return why;
  }
  if (auto why = reason_of_listed(folded_name(sys::join_path(above, path)))) {
    return why;
  }
  if (sys::split_path(folded).name == ".gitattributes") {
    return Why{"git obeys it"};
  }
  if (matches_pattern(path, patterns)) {
    return Why{"your configuration names it", true};
  }
  return std::nullopt;
}

}  // namespace

std::vector<NamedPath> paths_linked_by_names(const std::vector<std::string>& links,
                                             const std::vector<std::string>& patterns,
                                             const LinkedProject& project) {
  std::vector<NamedPath> found;
  for (const std::string& path : links) {
    const auto why = reason_of_name(path, project.above, patterns);
    if (!why) {
      continue;
    }
    const LinkWalk walk = walk_link("", path, project.root, project.look);
    const std::string reason = std::string{why->reason} + ": " + path + " is a link to it";
    for (std::size_t i = 1; i < walk.links.size(); ++i) {
      found.push_back({walk.links[i], reason, false, false});
    }
    if (walk.inside() && !walk.links.empty() && !walk.end.empty()) {
      found.push_back({walk.end, reason, why->below, false, why->leads ? path : ""});
    }
  }
  return found;
}

}  // namespace shadow::sensitive
