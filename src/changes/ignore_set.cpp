// SPDX-License-Identifier: MIT
#include "changes/ignore_set.hpp"

#include "shadow/error.hpp"

#include "git/index/git_files.hpp"
#include "overlay/format/look.hpp"
#include "session/project/real_git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace shadow::changes {

using git::IgnoreRules;

namespace {

// The work tree that the rules are of.
struct RulesOf {
  std::string top;
  std::string prefix;  // of the project in it, with a '/' at its end
  session::RealGitDir git;
};

std::optional<std::string> text_or_none(const overlay::View& view, const std::string& path) {
  try {
    return view.read(path, IgnoreRules::kMostBytes);
  } catch (const Error&) {
    // Too large or not readable: then it ignores nothing, and more is shown rather than less.
    return std::nullopt;
  }
}

bool has_owner_of(const std::string& path, const std::string& other) {
  return overlay::look_at(AT_FDCWD, path).uid == overlay::look_at(AT_FDCWD, other).uid;
}

// The project's own repository, or the nearest above, which is read as far as its owner is the
// project's: git heeds no other (git-config(1), safe.directory).
std::optional<RulesOf> repository_of(const std::string& root) {
  std::string top = root;
  while (!top.empty()) {
    if (const auto git = session::real_git_dir(top)) {
      const std::string prefix = top == root ? "" : root.substr(top.size() + 1) + "/";
      return prefix.empty() || has_owner_of(top + "/.git", root)
                 ? std::optional{RulesOf{top, prefix, *git}}
                 : std::nullopt;
    }
    top.resize(top.rfind('/'));
  }
  return std::nullopt;
}

std::optional<std::string> text_on_disk(const std::string& path) {
  try {
    return sys::read_file_at(AT_FDCWD, path, IgnoreRules::kMostBytes);
  } catch (const Error&) {
    return std::nullopt;  // as above
  }
}

IgnoreRules::ReadText reader_of(const std::string& top) {
  return [top](const std::string& path) { return text_on_disk(top + "/" + path); };
}

IgnoreRules rules_of(const IgnoreRules::ReadText& read, const std::optional<RulesOf>& of,
                     const std::string& prefix) {
  std::vector<std::string> excludes{git::user_excludes(sys::environment("HOME").value_or(""))};
  IgnoreRules::ReadTracked tracked;
  if (of) {
    excludes.push_back(text_on_disk(of->git.common + "/info/exclude").value_or(""));
    tracked = [index = of->git.dir + "/index"] { return git::tracked_paths(index); };
  }
  return IgnoreRules{read, excludes, std::move(tracked), prefix};
}

// In a directory that a repository above ignores as a whole, as a checkout of something else, its
// rules say nothing about the files.
bool ignores_project(const RulesOf& of) {
  return rules_of(reader_of(of.top), of, "")
      .ignored(std::string_view{of.prefix}.substr(0, of.prefix.size() - 1), true);
}

}  // namespace

IgnoreRules make_ignore_rules(const overlay::View& view, const std::string& root) {
  auto of = repository_of(root);
  if (of && !of->prefix.empty() && ignores_project(*of)) {
    of.reset();
  }
  overlay::View kept = view;
  kept.keep_last_directory();
  const std::string prefix = of ? of->prefix : "";
  const auto above = reader_of(of ? of->top : root);
  return rules_of(
      [kept, prefix, above](const std::string& path) {
        return path.starts_with(prefix) ? text_or_none(kept, path.substr(prefix.size()))
                                        : above(path);
      },
      of, prefix);
}

void ignore_unseen_directories(std::vector<ReviewItem>& items) {
  if (std::none_of(items.begin(), items.end(),
                   [](const ReviewItem& item) { return item.standing == Standing::Ignored; })) {
    return;
  }
  struct Inside {
    bool ignored = false;
    bool seen = false;
  };
  std::unordered_map<std::string_view, Inside> inside;
  for (std::size_t i = items.size(); i-- > 0;) {  // what is in a directory comes before it
    ReviewItem& item = items[i];
    const std::string_view path = item.change.path;
    const auto found = inside.find(path);
    if (found != inside.end() && found->second.ignored && !found->second.seen &&
        item.standing == Standing::Normal && item.change.kind == ChangeKind::Added) {
      item.standing = Standing::Ignored;
    }
    Inside& above = inside[sys::split_path(path).parent];
    (item.standing == Standing::Ignored ? above.ignored : above.seen) = true;
  }
  std::unordered_map<std::string_view, std::string> tops;  // by each directory in one
  for (ReviewItem& item : items) {
    if (item.standing != Standing::Ignored) {
      continue;
    }
    const std::string& path = item.change.path;
    if (const auto above = tops.find(sys::split_path(path).parent); above != tops.end()) {
      item.fold = above->second;
    } else if (item.fold.str().empty()) {
      item.fold = path;
    } else {
      continue;
    }
    if (item.change.after.kind == EntryKind::Directory) {
      tops.emplace(path, item.fold.str());
    }
  }
}

std::function<bool(const std::string& path)> ignored_files(const overlay::View& view,
                                                           const std::string& root) {
  if (!repository_of(root)) {
    return nullptr;
  }
  return [view, root,
          rules = std::make_shared<std::optional<IgnoreRules>>()](const std::string& path) {
    if (!*rules) {
      rules->emplace(make_ignore_rules(view, root));
    }
    return (*rules)->ignored(path, false);
  };
}

}  // namespace shadow::changes
