// SPDX-License-Identifier: MIT
#include "apply/shown/plan_patch.hpp"

#include "changes/patch_files.hpp"
#include "changes/rights/attributes.hpp"
#include "session/project/git_dir.hpp"

#include <map>
#include <string>
#include <utility>

namespace shadow::apply {

namespace {

void set_after(const session::ReviewSession& session, const Step& step, PatchFile& file) {
  file.after = step.after;
  if (step.xattrs) {
    file.attributes = *step.xattrs;
  } else if (step.has_attributes && changes::has_rights(step.after)) {
    file.attributes = changes::attributes_after(session, step.path, step.before.kind);
  }
  file.attributes_changed = step.attributes_changed && changes::has_rights(step.after);
  file.content_changed = step.action != Action::SetAttributes;
  if (!file.content_changed) {
    file.after = step.before;
    file.after.mode = step.after.mode;
    file.after_content = {session.lower.get(), step.path, {}};
  } else if (step.bytes) {
    file.after.ino = 0;  // the bytes are not those of the session's file
    file.after_content = {-1, {}, *step.bytes};
  } else {
    file.after_content = {session.upper.get(), step.path, {}};
  }
}

}  // namespace

std::vector<PatchFile> plan_patch(const session::ReviewSession& session, const ApplyPlan& plan) {
  std::map<std::string, PatchFile> by_path;
  for (const Step& step : plan.steps) {
    if (session::git_dir_of(step.path)) {
      continue;
    }
    // A path whose type changes has two steps: the second one finds nothing there.
    const auto [at, first] = by_path.try_emplace(step.path);
    PatchFile& file = at->second;
    if (first) {
      file.path = step.path;
      file.before = step.before;
      file.before_content = {session.lower.get(), step.path, {}};
    }
    set_after(session, step, file);
  }
  std::vector<PatchFile> files;
  files.reserve(by_path.size());
  for (auto& [path, file] : by_path) {
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace shadow::apply
