// SPDX-License-Identifier: MIT
// One call of a program into the library.

#pragma once

#include "shadow/review.hpp"
#include "shadow/session.hpp"
#include "shadow/workspace_types.hpp"

#include "session/directory/review_session.hpp"
#include "workspace/call/handle.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace shadow {

// A call has the library to itself as long as this lives. Not only for what is global below: a
// child that is made by fork(2) has whatever locks another thread held. Throws Failure (Invalid) in
// a sink, whose thread would wait for itself.
class Turn {
 public:
  Turn();
  Turn(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn();

 private:
  std::unique_lock<std::mutex> lock_;
};

// For the library's own notes.
[[nodiscard]] NoteSink note_sink(const StateHandle& state);

void report_stage(const StateHandle& state, workspace::Stage stage, std::uint64_t items = 0);

// Does what each command does before it examines a session, and opens the session for review: that
// of the agent, or the one that is meant. Throws as open_review does.
[[nodiscard]] std::shared_ptr<const ReviewHandle> open(
    const std::shared_ptr<const StateHandle>& state, const Project& project,
    const std::optional<std::string>& agent);
[[nodiscard]] std::shared_ptr<const ReviewHandle> open(const SessionHandle& handle);

// The changes of the session at these paths. Throws as require_matches does.
[[nodiscard]] ReviewSet reviewed(const ReviewHandle& review, const workspace::Paths& paths);

}  // namespace shadow
