// SPDX-License-Identifier: MIT
// The rules about sensitive changes: what they need to know of the project, of the tree that it is
// to become, and of the user's set-up.

#pragma once

#include "sensitive/sensitive.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shadow::changes {

// Of changes that come in parts, some arrive and others do not, and git may bring back what it has;
// of those that come at once the view is what the project will be, and nothing else.
enum class Arrival : std::uint8_t { InParts, AtOnce };

// The project, and what it is to become: the descriptor is borrowed.
struct JudgedTrees {
  std::string root;
  int lower = -1;
  sensitive::LookAt in_view;
  sensitive::ReadView read;  // of the view
  Arrival arrival = Arrival::InParts;
};

// `changes` lead from one to the other, `patterns` are the user's own.
[[nodiscard]] sensitive::SensitivePlaces places_of(const JudgedTrees& trees,
                                                   const std::vector<Change>& changes,
                                                   const std::vector<std::string>& patterns);

// The same for a session: `changes` are the session's, `patterns` the user's own, `ignored` is as
// in SensitivePlaces. Borrows the session.
[[nodiscard]] sensitive::SensitivePlaces places_of_session(
    const session::ReviewSession& session, const std::vector<Change>& changes,
    const std::vector<std::string>& patterns,
    std::function<bool(const std::string& path)> ignored = {});

}  // namespace shadow::changes
