// SPDX-License-Identifier: MIT
#include "apply/promotion/take_back.hpp"

#include "apply/promotion/promotion.hpp"
#include "commits/move/commit_promote.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/sessions.hpp"
#include "upkeep/clean_up.hpp"

namespace shadow::apply {

TakenBack take_back(const StateDir& state, const ApplySite& site, const UndoPlan& plan) {
  const auto row = store::find_session(site.database, plan.of.session);
  const auto session = row ? session::open_as_it_is(state, *row) : std::nullopt;
  TakenBack back;
  if (session) {
    back.files = undo_in_session(*session, plan);
  } else {
    back.files.result = execute_undo(site, plan);
    back.files.session.gone = true;
  }
  back.refs = commits::undo_refs(site, plan, session ? &*session : nullptr, back.files.result.id);
  if (session && plan.of.takes_out) {
    (void)upkeep::clean_up(*session, back.files.result.paths.size());
  }
  return back;
}

}  // namespace shadow::apply
