// SPDX-License-Identifier: MIT
#include "session/create.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/layer.hpp"
#include "overlay/prune.hpp"
#include "session/known_projects.hpp"
#include "store/sessions.hpp"
#include "sys/clock.hpp"

#include <climits>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace shadow {
namespace {

// A mask is a whiteout in the home layer's upper: it costs nothing per run, cannot be lifted from
// inside, and holds for names that appear later.
void seed_masks(const SessionDir& session, const sandbox::SessionPlan& plan, int home) {
  const sys::Fd upper = sys::open_at(session.fd(), "home/upper", O_RDONLY | O_DIRECTORY);
  for (const std::string& secret : plan.secrets) {
    overlay::mask(upper.get(), home, secret);
    // Dotfiles are often links into a directory elsewhere in the home: mask what they lead to.
    const std::unique_ptr<char, decltype(&std::free)> real{
        ::realpath((plan.home + "/" + secret).c_str(), nullptr), &std::free};
    if (real && std::string_view{real.get()}.starts_with(plan.home + "/")) {
      overlay::mask(upper.get(), home, real.get() + plan.home.size() + 1);
    }
  }
  if (plan.state.starts_with(plan.home + "/")) {
    overlay::mask(upper.get(), home, plan.state.substr(plan.home.size() + 1));
  }
}

}  // namespace

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
    seed_masks(session, plan, home.get());
  }
  ensure_session_row(state, session, key, facts);
  remember_project(state, key.project);
  session.write_facts(facts);
  return facts;
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
