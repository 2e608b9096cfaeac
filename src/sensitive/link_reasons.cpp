// SPDX-License-Identifier: MIT
// What the rules say of a symlink by where it leads.

#include "base/text.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/sensitive.hpp"
#include "sensitive/walk/system_file.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace shadow::sensitive {

namespace {

std::size_t depth_of(std::string_view path) {
  return path.empty() ? 0 : static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1;
}

}  // namespace

// As venv(1) of Python makes them in an environment.
bool SensitiveRules::is_python_of_system(const Change& change) const {
  const auto at = sys::split_path(change.path);
  if (change.after.kind != EntryKind::Symlink || !at.name.starts_with("python") ||
      sys::split_path(at.parent).name != "bin" || !reason_of_link(change).empty()) {
    return false;
  }
  const LinkWalk walk =
      walk_link(std::string{at.parent}, change.after.target.str(), places_.root, places_.in_view);
  return !walk.outside.empty() && is_system_python(walk.outside);
}

// The other links on the way may be the session's or still the project's: an apply can take this
// one alone. Or they are those that git has, which a checkout brings back.
std::string SensitiveRules::reason_of_link(const Change& change) const {
  std::string reason = reason_of_walk(change, places_.in_view);
  for (const LookAt* first : {&places_.in_project, &places_.tracked_link}) {
    reason = !reason.empty() ? reason : reason_of_walk(change, [&](const std::string& path) {
      Entry entry = (*first)(path);
      return entry.exists() ? entry : places_.in_view(path);
    });
  }
  return reason;
}

std::string SensitiveRules::reason_of_walk(const Change& change, const LookAt& look) const {
  const std::string start{sys::split_path(change.path).parent};
  const LinkWalk walk = walk_link(start, change.after.target.str(), places_.root, look);
  if (walk.endless) {
    return "a symlink that leads nowhere";
  }
  if (!walk.outside.empty()) {
    return is_system_file(walk.outside) ? "" : "a symlink out of the project";
  }
  if (walk.up_from_nothing) {
    return "a symlink by way of a name that does not exist, which may lead out later";
  }
  // Other links through it ("a/../x") then start from further up, and may lead out.
  if (change.before.kind == EntryKind::Directory && depth_of(walk.end) < depth_of(change.path)) {
    return "a link in place of a directory, to one further up";
  }
  // Who writes to it later writes there.
  if (session::git_dir_of(walk.end)) {
    return "a symlink into a git directory";
  }
  const SensitiveName* rule = find_sensitive_name(folded_name(walk.end));
  return rule == nullptr ? std::string{}
                         : fmt::format("a symlink to {} ({})", quoted(walk.end), rule->reason);
}

}  // namespace shadow::sensitive
