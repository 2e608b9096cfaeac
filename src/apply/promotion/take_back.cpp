// SPDX-License-Identifier: MIT
#include "apply/promotion/take_back.hpp"

#include "session/directory/review_session.hpp"
#include "store/tables/sessions.hpp"
#include "upkeep/clean_up.hpp"

namespace shadow {

TakenBack take_back(const StateDir& state, const ApplySite& site, const UndoPlan& plan) {
  const auto row = store::find_session(site.database, plan.of.session);
  const auto session = row ? open_as_it_is(state, *row) : std::nullopt;
  TakenBack back;
  if (session) {
    back.files = undo_in_session(*session, plan);
  } else {
    back.files.result = execute_undo(site, plan);
    back.files.session.gone = true;
  }
  back.refs = undo_refs(site, plan, session ? &*session : nullptr, back.files.result.id);
  if (session && plan.of.takes_out) {
    clean_up(*session, back.files.result.paths.size());
  }
  return back;
}

}  // namespace shadow
