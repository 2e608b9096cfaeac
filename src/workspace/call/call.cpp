// SPDX-License-Identifier: MIT
#include "workspace/call/call.hpp"

#include "shadow/failure.hpp"

#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "upkeep/open_review.hpp"
#include "upkeep/reserve.hpp"
#include "workspace/call/paths.hpp"

#include <string>

namespace shadow {
namespace {

std::mutex& one_at_a_time() {
  static std::mutex the_one;
  return the_one;
}

thread_local bool has_turn = false;

}  // namespace

Turn::Turn() {
  if (has_turn) {
    throw workspace::Failure{workspace::Kind::Invalid, "cannot call the library from a sink of it"};
  }
  lock_ = std::unique_lock{one_at_a_time()};
  has_turn = true;
}

Turn::~Turn() {
  has_turn = false;
}

NoteSink note_sink(const StateHandle& state) {
  return [&state](const std::string& text) {
    try {
      if (state.sinks.note) {
        state.sinks.note(text);
      }
    } catch (...) {
      return;  // an apply does not end halfway because a note could not be delivered
    }
  };
}

void report_stage(const StateHandle& state, workspace::Stage stage, std::uint64_t items) {
  try {
    if (state.sinks.progress) {
      state.sinks.progress(stage, items);
    }
  } catch (...) {
    return;  // as above
  }
}

std::shared_ptr<const ReviewHandle> open(const std::shared_ptr<const StateHandle>& state,
                                         const Project& project,
                                         const std::optional<std::string>& agent) {
  report_stage(*state, workspace::Stage::Opening);
  upkeep::use_reserve_if_full(state->dir);
  return std::make_shared<const ReviewHandle>(
      ReviewHandle{state, upkeep::open_review(state->dir, project, agent, note_sink(*state))});
}

std::shared_ptr<const ReviewHandle> open(const SessionHandle& handle) {
  return open(handle.of->state, handle.of->project, handle.agent);
}

ReviewSet reviewed(const ReviewHandle& review, const workspace::Paths& paths) {
  report_stage(*review.state, workspace::Stage::Reading);
  const session::Selection selection = selection_of(paths, review.session.project);
  ReviewSet set = changes::review_changes(review.session, selection, changes::WalkGitDirs::No);
  changes::require_matches(review.session, selection, set);
  return set;
}

}  // namespace shadow
