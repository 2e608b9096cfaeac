// SPDX-License-Identifier: MIT
#include "changes/ignore_set.hpp"

#include "shadow/error.hpp"

#include "session/project/git_dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

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

}  // namespace shadow::changes
