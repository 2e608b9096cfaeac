// SPDX-License-Identifier: MIT
#include "sensitive/leads/shifted_links.hpp"

#include "sensitive/walk/system_file.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace shadow::sensitive {

namespace {

using ByPath = std::multimap<std::string, const Change*, std::less<>>;

// Only what is a link, or was one, decides which way a walk takes.
ByPath link_changes(const std::vector<Change>& changes) {
  ByPath found;
  for (const Change& change : changes) {
    if (change.before.kind == EntryKind::Symlink || change.after.kind == EntryKind::Symlink) {
      found.emplace(change.path, &change);
    }
  }
  return found;
}

bool is_way(const Change& change, const Entry& link, const LookAt& look, const std::string& root) {
  if (link.kind != EntryKind::Symlink) {
    return false;
  }
  const std::string start{sys::split_path(change.path).parent};
  const LinkWalk walk = walk_link(start, link.target.str(), root, look);
  return walk.inside() && look(walk.end).kind != EntryKind::File;
}

bool may_shift(const Change& change, const LinkedTrees& trees) {
  return is_way(change, change.before, trees.in_project, trees.root) ||
         is_way(change, change.after, trees.in_view, trees.root);
}

class Shifts {
 public:
  Shifts(ByPath changed, const LinkedTrees& trees) : changed_{std::move(changed)}, trees_{trees} {}

  void judge(const std::string& link) {
    if (changed_.contains(link)) {
      return;  // judged by itself
    }
    std::set<std::string> met;
    const LinkWalk before = walk(link, trees_.in_project, met);
    if (met.empty()) {
      return;  // the first that differs would have been met
    }
    for (const std::string& path : met) {
      const auto [begin, end] = changed_.equal_range(path);
      for (auto change = begin; change != end; ++change) {
        judge_alone(link, before, *change->second);
      }
    }
    const LinkWalk after = walk(link, trees_.in_view, met);
    if (leads_out(before, after)) {
      for (const std::string& path : met) {
        add(path, link);
      }
    }
  }

  std::vector<NamedPath> take() {
    std::vector<NamedPath> found;
    for (auto& [path, reason] : found_) {
      found.push_back(named_path(path, std::move(reason)));
    }
    return found;
  }

 private:
  LinkWalk walk(const std::string& link, const LookAt& look, std::set<std::string>& met) const {
    return walk_link_back("", link, trees_.root, [&](const std::string& path) {
      if (changed_.contains(path)) {
        met.insert(path);
      }
      return look(path);
    });
  }

  void judge_alone(const std::string& link, const LinkWalk& before, const Change& change) {
    const LinkWalk after = walk_link_back("", link, trees_.root, [&](const std::string& path) {
      return path == change.path ? change.after : trees_.in_project(path);
    });
    if (leads_out(before, after)) {
      add(change.path, link);
    }
  }

  static bool leads_out(const LinkWalk& before, const LinkWalk& after) {
    if (after.inside() || (before.endless && after.endless)) {
      return false;
    }
    return after.endless || (after.outside != before.outside && !is_system_file(after.outside));
  }

  void add(const std::string& path, const std::string& link) {
    found_.try_emplace(path, "with it the project's link " + link + " leads out of the project");
  }

  const ByPath changed_;
  const LinkedTrees& trees_;
  std::map<std::string, std::string> found_;
};

}  // namespace

bool may_shift_links(const std::vector<Change>& changes, const LinkedTrees& trees) {
  return std::any_of(changes.begin(), changes.end(),
                     [&trees](const Change& change) { return may_shift(change, trees); });
}

std::vector<NamedPath> changes_that_shift_links(const ProjectFinds& finds,
                                                const std::vector<Change>& changes,
                                                const LinkedTrees& trees) {
  ByPath changed = link_changes(changes);
  if (changed.empty()) {
    return {};
  }
  Shifts shifts{std::move(changed), trees};
  for (const std::string& link : finds.links) {
    shifts.judge(link);
  }
  std::vector<NamedPath> found = shifts.take();
  for (const Change& change : changes) {
    if (!finds.all && may_shift(change, trees)) {
      found.push_back(named_path(change.path,
                                 "a link, and the project has too many directories to see which "
                                 "others lead over it"));
    }
  }
  return found;
}

}  // namespace shadow::sensitive
