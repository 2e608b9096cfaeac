// SPDX-License-Identifier: MIT
#include "promote/journal/lifecycle.hpp"

namespace shadow::promote {

using store::ApplyState;

bool is_written(ApplyState state) {
  return state == ApplyState::Done || state == ApplyState::Undone;
}

void mark_swapping(store::Database& database, store::ApplyRow& apply) {
  apply.state = ApplyState::Swapping;
  store::update_apply(database, apply);
}

void mark_done(store::Database& database, store::ApplyRow& apply) {
  apply.state = ApplyState::Done;
  store::update_apply(database, apply);
  ApplyState state = ApplyState::Undone;
  for (auto next = apply.undoes; next;) {
    auto taken_back = store::find_apply(database, *next);
    if (!taken_back) {
      return;  // forgotten by its age
    }
    taken_back->state = state;
    store::update_apply(database, *taken_back);
    state = state == ApplyState::Undone ? ApplyState::Done : ApplyState::Undone;
    next = taken_back->undoes;
  }
}

}  // namespace shadow::promote
