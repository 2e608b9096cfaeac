// SPDX-License-Identifier: MIT
// git's ignore rules as they hold in a session's view.

#pragma once

#include "shadow/review.hpp"

#include "git/patterns/ignore.hpp"
#include "overlay/read/view.hpp"

#include <functional>
#include <string>
#include <vector>

namespace shadow::changes {

// The `.gitignore` files come from the view; the list of tracked files and info/exclude from the
// real repository; the user's excludes from the user's own configuration. Of a project that is a
// directory of a repository, those of that hold too. The descriptors of `view` must outlive the
// rules.
[[nodiscard]] git::IgnoreRules make_ignore_rules(const overlay::View& view,
                                                 const std::string& root);

// The same for files, as a question; the rules are read when it is first asked. None where there is
// no repository: then nothing says which files are made and which are kept.
[[nodiscard]] std::function<bool(const std::string& path)> ignored_files(const overlay::View& view,
                                                                         const std::string& root);

// Makes new directories ignored in which git sees nothing, since all in them is: a build makes
// them, and they would wait for an apply that does not take them. An empty one stays. Sorted by
// path.
void ignore_unseen_directories(std::vector<ReviewItem>& items);

}  // namespace shadow::changes
