// SPDX-License-Identifier: MIT
#include "workspace/call.hpp"

#include "shadow/failure.hpp"

#include "upkeep/open_review.hpp"
#include "upkeep/reserve.hpp"

#include <exception>
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
    } catch (const std::exception&) {
      return;  // an apply does not end halfway because a note could not be delivered
    }
  };
}

void tell_stage(const StateHandle& state, workspace::Stage stage, std::uint64_t items) {
  try {
    if (state.sinks.progress) {
      state.sinks.progress(stage, items);
    }
  } catch (const std::exception&) {
    return;  // as above
  }
}

session::ReviewSession open_for(const SessionHandle& handle) {
  tell_stage(*handle.state, workspace::Stage::Opening);
  upkeep::use_reserve_if_full(handle.state->dir);
  return upkeep::open_review(handle.state->dir, handle.project, handle.agent,
                             note_sink(*handle.state));
}

}  // namespace shadow
