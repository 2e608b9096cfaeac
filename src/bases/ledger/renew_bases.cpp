// SPDX-License-Identifier: MIT
#include "bases/ledger/renew_bases.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/pending_bases.hpp"
#include "store/tables/tallies.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace shadow::bases {

namespace {

bool at_or_below(const std::string& path, const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&path](const std::string& above) { return is_at_or_below(path, above); });
}

}  // namespace

void renew_bases(const session::ReviewSession& session, const std::vector<std::string>& paths) {
  for (const auto& [path, old] : store::all_bases(*session.db, session.row.id)) {
    if (!at_or_below(path, paths)) {
      continue;
    }
    const Entry now = overlay::look_beneath(session.lower.get(), path);
    store::put_base(*session.db, session.row.id, path, Base::known(now, BaseSource::Tree));
  }
}

void note_renewals(const session::ReviewSession& session, const std::vector<std::string>& paths) {
  std::set<std::string> noted{paths.begin(), paths.end()};
  for (const auto& [path, old] : store::all_bases(*session.db, session.row.id)) {
    if (at_or_below(path, paths)) {
      noted.insert(path);
    }
  }
  store::Transaction transaction{*session.db};
  for (const std::string& path : noted) {
    Base base = Base::known(overlay::look_beneath(session.lower.get(), path), BaseSource::Tree);
    store::add_pending_base(*session.db, session.row.id, {path, path, {}, std::move(base)});
  }
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
  transaction.commit();
}

void record_renewals(const session::ReviewSession& session, const std::function<void()>& record) {
  try {
    store::Transaction transaction{*session.db};
    record();
    store::clear_pending_bases(*session.db, session.row.id);
    transaction.commit();
  } catch (const Error&) {
    return;  // it is done, and what was noted before that tells the next command of it
  }
}

}  // namespace shadow::bases
