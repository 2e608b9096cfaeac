// SPDX-License-Identifier: MIT
// Changes that give links of the project, which themselves stay as they are, another meaning: a
// directory on the way of one becomes a link, or a link there gets another target.

#pragma once

#include "shadow/change.hpp"

#include "sensitive/leads/git_named.hpp"
#include "sensitive/leads/project_links.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

struct LinkedTrees {
  const std::string& root;  // of the project
  const LookAt& in_view;
  const LookAt& in_project;
};

// True if a change makes, changes or removes a link that leads to a directory, or to nothing yet:
// the way of another link may go over it.
[[nodiscard]] bool may_shift_links(const std::vector<Change>& changes, const LinkedTrees& trees);

// The changes by which one of the links would lead out of the project, or elsewhere there: as the
// view has it, or by one change alone. Where there are links that were not found, all changes that
// may do that.
[[nodiscard]] std::vector<NamedPath> changes_that_shift_links(const ProjectFinds& finds,
                                                              const std::vector<Change>& changes,
                                                              const LinkedTrees& trees);

}  // namespace shadow::sensitive
