// SPDX-License-Identifier: MIT
#include "commits/plan/branch_leads.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/wire.hpp"
#include "git/commits/commit_tree.hpp"
#include "sensitive/leads/led_paths.hpp"
#include "sensitive/leads/linked_names.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sys/files/beneath.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace shadow::commits {

namespace {

constexpr std::size_t kMostTextOfLead = 1U << 20U;
constexpr std::size_t kMostTarget = 4095;  // PATH_MAX

Entry entry_of(const git::CommitTree& tree, const std::string& path) {
  const unsigned mode = tree.mode_of(path);
  Entry entry;
  if (mode == git::kLinkMode) {
    entry.kind = EntryKind::Symlink;
    entry.target = tree.text(path, kMostTarget).value_or("/");  // git makes no longer one
  } else if (mode == git::kTreeMode || mode == git::kModuleMode) {
    entry.kind = EntryKind::Directory;
  } else if (mode != 0) {
    entry.kind = EntryKind::File;
    entry.mode = mode & kPermissionBits;
  }
  return entry;
}

// The file of that name, or those right in a directory that counts as a whole, of hooks say.
void add_scripts(const git::CommitTree& tree, const sensitive::NamedPath& named,
                 std::vector<std::string>& scripts) {
  if (named.path.empty() || named.fresh_module || named.in_any_directory) {
    return;
  }
  const auto is_file = [](unsigned mode) {
    return mode == git::kFileMode || mode == git::kExecutableMode;
  };
  if (is_file(tree.mode_of(named.path))) {
    scripts.push_back(named.path);
  }
  const std::string above = named.path + "/";
  const auto& files = tree.files();
  for (auto at = files.lower_bound(above);
       named.below && at != files.end() && at->first.starts_with(above); ++at) {
    if (is_file(at->second.mode) && at->first.find('/', above.size()) == std::string::npos) {
      scripts.push_back(at->first);
    }
  }
}

// In the child.
std::vector<sensitive::NamedPath> find_leads(const git::CommitTree& tree,
                                             const sensitive::SensitivePlaces& places) {
  const sensitive::LookAt look = [&tree](const std::string& path) { return entry_of(tree, path); };
  sensitive::LeadSources sources;
  std::vector<std::string> links;
  for (const auto& [path, file] : tree.files()) {
    if (file.mode == git::kLinkMode) {
      links.push_back(path);
    }
    const std::string folded = sensitive::folded_name(sys::join_path(places.above, path));
    if (file.mode != git::kModuleMode && sensitive::find_leading_name(folded) != nullptr) {
      sources.files.push_back({path});
    }
  }
  for (const sensitive::NamedPath& one : places.named) {
    add_scripts(tree, one, sources.scripts);
  }
  const auto read = [&tree](const std::string& path) -> std::optional<std::string> {
    return tree.mode_of(path) == git::kLinkMode ? std::nullopt : tree.text(path, kMostTextOfLead);
  };
  std::vector<sensitive::NamedPath> found = sensitive::paths_led_to(
      sources, {read, look, look, places.root, sys::environment("HOME").value_or(""), places.above,
                "the branch's "});
  std::vector<sensitive::NamedPath> obeyed = places.named;
  obeyed.insert(obeyed.end(), found.begin(), found.end());
  std::vector<sensitive::NamedPath> linked = sensitive::paths_linked_by_names(
      {links, places.root, places.above, look}, places.patterns, obeyed);
  std::move(linked.begin(), linked.end(), std::back_inserter(found));
  return found;
}

std::array<bool sensitive::NamedPath::*, 8> flags_of_named() {
  using One = sensitive::NamedPath;
  return {&One::below,     &One::anywhere,         &One::fresh_module,
          &One::of_python, &One::in_any_directory, &One::in_part,
          &One::right_in,  &One::if_fresh};
}

std::string leads_to_wire(const std::vector<sensitive::NamedPath>& all) {
  WireWriter out;
  out.number(all.size());
  for (const sensitive::NamedPath& one : all) {
    out.text(one.path);
    out.text(one.reason);
    out.text(one.alias);
    for (const auto flag : flags_of_named()) {
      out.number(one.*flag ? 1 : 0);
    }
  }
  return out.take();
}

std::optional<std::vector<sensitive::NamedPath>> leads_from_wire(const std::string& bytes) {
  WireReader in{bytes};
  std::vector<sensitive::NamedPath> all;
  for (std::uint64_t left = in.number(); in.ok() && left > 0; --left) {
    sensitive::NamedPath one;
    one.path = in.text();
    one.reason = in.text();
    one.alias = in.text();
    for (const auto flag : flags_of_named()) {
      one.*flag = in.number() != 0;
    }
    all.push_back(std::move(one));
  }
  return in.done() ? std::optional{std::move(all)} : std::nullopt;
}

}  // namespace

std::optional<std::vector<sensitive::NamedPath>> leads_in_commit(
    const git::GitDirs& dirs, const std::string& commit, const sensitive::SensitivePlaces& places) {
  const auto answer = git::look_into_commit(dirs, commit, [&places](const git::CommitTree& tree) {
    return leads_to_wire(find_leads(tree, places));
  });
  return answer ? leads_from_wire(*answer) : std::nullopt;
}

}  // namespace shadow::commits
