// SPDX-License-Identifier: MIT
#include "changes/ignore_set.hpp"

#include "shadow/error.hpp"

#include "session/project/git_dir.hpp"
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

namespace {

// More than any list of rules needs; an agent may have made the file.

std::optional<std::string> text_or_none(const overlay::View& view, const std::string& path) {
  try {
    return view.read(path, IgnoreRules::kMostBytes);
  } catch (const Error&) {
    // Too large or not readable: then it ignores nothing, and more is shown rather than less.
    return std::nullopt;
  }
}

}  // namespace

IgnoreRules make_ignore_rules(const overlay::View& view, const std::string& root) {
  std::vector<std::string> excludes{user_excludes(sys::environment("HOME").value_or(""))};
  IgnoreRules::ReadTracked tracked;
  if (const auto git = session::real_git_dir(root)) {
    excludes.push_back(
        sys::read_file_at(AT_FDCWD, git->common + "/info/exclude", IgnoreRules::kMostBytes)
            .value_or(""));
    tracked = [index = git->dir + "/index"] { return tracked_paths(index); };
  }
  overlay::View kept = view;
  kept.keep_last_directory();
  return IgnoreRules{[kept](const std::string& path) { return text_or_none(kept, path); }, excludes,
                     std::move(tracked)};
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
  if (!session::real_git_dir(root)) {
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
