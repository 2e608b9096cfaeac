// SPDX-License-Identifier: MIT
#include "sensitive/leads/linked_names.hpp"

#include "base/text.hpp"
#include "base/tool_files.hpp"
#include "sensitive/names/embedded_settings.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostLinkedNames = 10'000;  // links that lead to links, under all their names

// What a path of that name is, and so what a link of that name leads to.
struct Why {
  std::string reason;
  bool below = false;    // with all that lies below it
  bool leads = false;    // names below it count, as far as they do below this name
  bool in_part = false;  // a file of which a part counts
};

std::optional<Why> reason_of_listed(const std::string& folded) {
  if (const SensitiveName* rule = find_sensitive_name(folded)) {
    return Why{std::string{rule->reason}, is_directory_rule(*rule)};
  }
  return std::nullopt;
}

std::optional<Why> reason_below_listed(const std::string& folded) {
  const SensitiveName* rule = find_sensitive_below(folded);
  return rule == nullptr ? std::nullopt
                         : std::optional{Why{std::string{rule->reason}, false, true}};
}

// What counts at the top of a repository, in one that lies in the project.
std::optional<Why> reason_at_inner_top(const std::string& path, const std::string& folded,
                                       EntryKind end, const LookAt& look) {
  const bool directory = end == EntryKind::Directory;
  std::size_t slash = path.find('/');
  for (std::size_t begin = folded.find('/');
       begin != std::string::npos && slash != std::string::npos;
       begin = folded.find('/', begin + 1), slash = path.find('/', slash + 1)) {
    const std::string_view behind = std::string_view{folded}.substr(begin + 1);
    const SensitiveName* rule = find_sensitive_at_top(behind, directory);
    if (rule != nullptr && look(path.substr(0, slash + 1) + ".git").exists()) {
      const bool below = is_directory_rule(*rule) && is_at_or_below(behind, rule->name);
      return Why{std::string{rule->reason}, below, directory && !below};
    }
  }
  return std::nullopt;
}

std::optional<Why> reason_of_name(const std::string& path, EntryKind end, const ProjectLinks& links,
                                  const std::vector<std::string>& patterns) {
  const std::string& above = links.above;
  const std::string folded = folded_name(path);
  const std::string whole = folded_name(sys::join_path(above, path));
  const std::string_view name = sys::split_path(folded).name;
  if (auto why = reason_of_listed(folded)) {
    return why;
  }
  if (auto why = reason_of_listed(whole)) {
    return why;
  }
  if (matches_pattern(path, patterns)) {
    return Why{"your configuration names it", true};
  }
  if (const SensitiveName* rule = find_python_module(folded, end == EntryKind::Directory)) {
    return Why{std::string{rule->reason}, false, end == EntryKind::Directory};
  }
  if (auto why = reason_below_listed(folded)) {
    return why;
  }
  if (auto why = reason_below_listed(whole)) {
    return why;
  }
  if (auto why = reason_at_inner_top(path, folded, end, links.look)) {
    return why;
  }
  if (name == ".gitattributes") {
    return Why{"git obeys it"};
  }
  if (is_tool_file(name)) {
    return Why{std::string{kObeyedInPart}, false, false, true};
  }
  return std::nullopt;
}

class LinkedNames {
 public:
  LinkedNames(const ProjectLinks& links, const std::vector<std::string>& patterns)
      : links_{links}, patterns_{patterns} {}

  std::vector<NamedPath> find(const std::vector<NamedPath>& obeyed) {
    for (const NamedPath& one : obeyed) {
      if (one.below && !one.path.empty() && !one.anywhere && !one.in_any_directory) {
        put_off_below(one.path, "", one.reason);
      }
    }
    for (const std::string& path : links_.paths) {
      put_off({path, path, ""});
    }
    while (!next_.empty()) {
      const Named next = std::move(next_.front());
      next_.pop_front();
      judge(next);
    }
    return std::move(found_);
  }

 private:
  // A link, a name under which a program comes to it, and the reason for all of that name; empty if
  // the name has to tell.
  struct Named {
    std::string link;
    std::string name;
    std::string reason;
  };

  void put_off(Named one) {
    if (seen_.size() < kMostLinkedNames + links_.paths.size() &&
        seen_.insert({one.link, one.reason.empty() ? one.name : ""}).second) {
      next_.push_back(std::move(one));
    }
  }

  // The links below a directory, which has another name itself.
  void put_off_below(const std::string& directory, const std::string& name,
                     const std::string& reason) {
    const std::string above = directory + "/";
    for (auto at = std::lower_bound(links_.paths.begin(), links_.paths.end(), above);
         at != links_.paths.end() && at->starts_with(above); ++at) {
      put_off({*at, name + "/" + at->substr(above.size()), reason});
    }
  }

  void judge(const Named& one) {
    if (one.reason.empty() && !may_count(one.name)) {
      return;
    }
    const LinkWalk walk = walk_link_back("", one.link, links_.root, links_.look);
    if (walk.links.empty()) {
      return;  // git's index has it, and the work tree has no link there
    }
    const EntryKind end = walk.inside() ? links_.look(walk.end).kind : EntryKind::Absent;
    const auto why = one.reason.empty() ? reason_of_name(one.name, end, links_, patterns_)
                                        : std::optional{Why{one.reason, true}};
    if (!why) {
      return;
    }
    const std::string reason =
        one.reason.empty() ? why->reason + ": " + one.name + " is a link to it" : one.reason;
    for (std::size_t i = one.name == one.link ? 1 : 0; i < walk.links.size(); ++i) {
      found_.push_back(named_path(walk.links[i], reason));
    }
    if (!walk.inside() || walk.end.empty()) {
      return;
    }
    NamedPath named = named_path(walk.end, reason, below_if(why->below));
    named.alias = why->leads || why->in_part ? one.name : "";
    named.in_part = why->in_part;
    found_.push_back(std::move(named));
    if (why->below || why->leads) {
      put_off_below(walk.end, one.name, why->below ? reason : "");
    }
  }

  // Most links have a name that says nothing, whatever they lead to.
  [[nodiscard]] bool may_count(const std::string& name) const {
    return reason_of_name(name, EntryKind::Directory, links_, patterns_).has_value();
  }

  const ProjectLinks& links_;
  const std::vector<std::string>& patterns_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::deque<Named> next_;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> paths_linked_by_names(const ProjectLinks& links,
                                             const std::vector<std::string>& patterns,
                                             const std::vector<NamedPath>& obeyed) {
  return LinkedNames{links, patterns}.find(obeyed);
}

}  // namespace shadow::sensitive
