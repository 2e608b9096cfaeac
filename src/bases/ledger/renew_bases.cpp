// SPDX-License-Identifier: MIT
#include "bases/ledger/renew_bases.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"

#include <algorithm>

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

}  // namespace shadow::bases
