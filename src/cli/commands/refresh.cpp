// SPDX-License-Identifier: MIT
#include "refresh/refresh.hpp"

#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "cli/commands/review.hpp"
#include "cli/render/refresh.hpp"

#include <fmt/format.h>

namespace shadow::cli {

ExitCode refresh(const RefreshOptions& options, Context& context) {
  const session::ReviewSession session = context.open();
  const session::Selection selection{options.paths, session.project};
  if (!selection.everything()) {
    changes::require_matches(session, selection,
                             changes::review_changes(session, selection, changes::WalkGitDirs::No));
  }
  const refresh::RefreshReport report = options.dry_run ? refresh::plan_refresh(session, selection)
                                                        : refresh::refresh(session, selection);
  const RefreshTense tense = options.dry_run ? RefreshTense::Planned : RefreshTense::Done;
  if (context.global.json) {
    context.print(refresh_json(report));
  } else {
    context.out.write(refresh_text(report, tense, context.color));
  }
  return report.left.empty() ? ExitCode::Ok : ExitCode::Conflict;
}

}  // namespace shadow::cli
