// SPDX-License-Identifier: MIT
#include "session/create.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/layer.hpp"
#include "session/known_projects.hpp"
#include "session/masks.hpp"
#include "store/sessions.hpp"
#include "sys/clock.hpp"
#include "sys/dir.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {

SessionFacts create_session(const StateDir& state, const SessionDir& session, const SessionKey& key,
                            const sandbox::SessionPlan& plan, int project) {
  SessionFacts facts;
  facts.identity = plan.identity;
  // Files stamped later than this were changed by the user after the session could read them. The
  // clock of file times moves in ticks; the command does not start before the next one, so that a
  // change of the same tick cannot follow the session's first look.
  facts.base_time_ns = sys::coarse_now_ns();
  overlay::create_layer(session.fd(), "project", project);
  if (!plan.home.empty()) {
    const sys::Fd home = sys::open_path(plan.home, O_RDONLY | O_DIRECTORY);
    overlay::create_layer(session.fd(), "home", home.get());
    seed_masks(session, plan);
    sys::make_dirs(session.fd(), "private-home", S_IRWXU);
  }
  ensure_git_layer(session, plan);
  ensure_session_row(state, session, key, facts);
  remember_project(state, key.project);
  session.write_facts(facts);
  return facts;
}

void ensure_git_layer(const SessionDir& session, const sandbox::SessionPlan& plan) {
  if (!plan.git_dir.empty() && ::faccessat(session.fd(), "gitdir/work", F_OK, 0) != 0) {
    const sys::Fd git_dir = sys::open_path(plan.git_dir, O_RDONLY | O_DIRECTORY);
    overlay::create_layer(session.fd(), "gitdir", git_dir.get());
  }
}

void ensure_session_row(const StateDir& state, const SessionDir& session, const SessionKey& key,
                        const SessionFacts& facts) {
  store::SessionRow row;
  row.id = session.id();
  row.project = key.project;
  row.interlocutor = key.interlocutor;
  row.root_identity = sys::to_text(facts.identity);
  row.created_ns = sys::now_ns();
  row.used_ns = row.created_ns;
  row.base_time_ns = facts.base_time_ns;
  store::Database db{state.database()};
  store::add_session(db, row);
}

}  // namespace shadow
