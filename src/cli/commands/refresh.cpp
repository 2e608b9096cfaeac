// SPDX-License-Identifier: MIT
#include "refresh/refresh.hpp"

#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "cli/commands/review.hpp"
#include "cli/render/refresh.hpp"

#include <fmt/format.h>

namespace shadow::cli {

ExitCode refresh(const RefreshOptions& options, Context& context) {
  const ReviewSession session = context.open();
  const Selection selection{options.paths, session.project};
  if (!selection.everything()) {
    require_matches(session, selection, review_changes(session, selection, WalkGitDirs::No));
  }
  const RefreshReport report =
      options.dry_run ? plan_refresh(session, selection) : shadow::refresh(session, selection);
  const RefreshTense tense = options.dry_run ? RefreshTense::Planned : RefreshTense::Done;
  if (context.global.json) {
    context.print(refresh_json(report));
  } else {
    context.out.write(refresh_text(report, tense, context.color));
  }
  return report.left.empty() ? ExitCode::Ok : ExitCode::Conflict;
}

}  // namespace shadow::cli
