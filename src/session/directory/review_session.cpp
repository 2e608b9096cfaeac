// SPDX-License-Identifier: MIT
#include "session/directory/review_session.hpp"

#include "session/directory/run_lifecycle.hpp"
#include "store/tables/runs.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/identity.hpp"

#include <algorithm>
#include <utility>

namespace shadow::session {

sys::Fd open_upper(const SessionDir& dir) {
  return sys::open_at(dir.fd(), "project/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

std::vector<store::RunRow> live_runs(const ReviewSession& session) {
  std::vector<store::RunRow> runs = store::unended_runs(*session.db, session.row.id);
  runs.erase(std::remove_if(runs.begin(), runs.end(),
                            [](const store::RunRow& run) { return !is_live(run); }),
             runs.end());
  return runs;
}

std::optional<ReviewSession> open_as_it_is(const StateDir& state, const store::SessionRow& row) {
  auto dir = SessionDir::find(state, row.id);
  sys::Fd lower = sys::try_open_at(AT_FDCWD, row.project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir || !lower) {
    return std::nullopt;
  }
  sys::Fd upper = open_upper(*dir);
  return ReviewSession{state,
                       {row.project, row.project},
                       row,
                       std::move(*dir),
                       std::make_unique<store::Database>(state.database()),
                       std::move(upper),
                       std::move(lower)};
}

std::optional<ReviewSession> open_with_its_project(const StateDir& state,
                                                   const store::SessionRow& row) {
  auto session = open_as_it_is(state, row);
  const auto facts = session ? session->dir.read_facts() : std::nullopt;
  if (facts && !same_directory(facts->identity, sys::identify(session->lower.get()))) {
    session.reset();
  }
  return session;
}

std::optional<ReviewSession> open_with_its_project(const StateDir& state, const std::string& id) {
  store::Database db{state.database()};
  const auto row = store::find_session(db, id);
  return row ? open_with_its_project(state, *row) : std::nullopt;
}

}  // namespace shadow::session
