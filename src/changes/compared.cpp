// SPDX-License-Identifier: MIT
#include "changes/compared.hpp"

#include "shadow/error.hpp"

#include "overlay/read/stable_read.hpp"
#include "session/directory/live_runs.hpp"
#include "store/tables/comparisons.hpp"

namespace shadow::changes {

Compared::Compared(const session::ReviewSession& session)
    : session_{session}, idle_{!session::has_live_runs(session.dir)} {
}

overlay::KnownContents Compared::contents() {
  return {[this](const std::string& path, const Entry& upper, const Entry& lower) {
            return store::find_comparison(*session_.db, session_.row.id, path, upper, lower);
          },
          [this](const std::string& path, const Entry& upper, const Entry& lower, bool same) {
            learn(path, upper, lower, same);
          }};
}

// Nothing while a run is live: what a process writes through a mapping that it has written through
// before stamps the file only once the kernel has cleaned the page. Nothing of files so young that
// a later write may get the same stamp.
void Compared::learn(const std::string& path, const Entry& upper, const Entry& lower, bool same) {
  if (idle_ && !overlay::is_young(upper) && !overlay::is_young(lower)) {
    learnt_.push_back({path, upper, lower, same});
  }
}

void Compared::save() {
  if (learnt_.empty()) {
    return;
  }
  try {
    store::Transaction transaction{*session_.db};
    for (const Learnt& one : learnt_) {
      store::put_comparison(*session_.db, session_.row.id, one.path, one.upper, one.lower,
                            one.same);
    }
    transaction.commit();
  } catch (const Error&) {
    return;
  }
}

}  // namespace shadow::changes
