// SPDX-License-Identifier: MIT
#include "discard/left_copies.hpp"

#include "bases/capture/own_moves.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace shadow::discard {
namespace {

bool is_of(const std::set<std::string_view>& paths, std::string_view path) {
  while (!path.empty() && paths.count(path) == 0) {
    path = sys::split_path(path).parent;
  }
  return !path.empty();
}

// A deletion, or a directory that the session has put in the place of a file or a link.
bool may_have_moved_away(const session::ReviewSession& session, const std::string& path) {
  const Entry real = overlay::look_beneath(session.lower.get(), path);
  return real.exists() && overlay::look_beneath(session.upper.get(), path).kind != real.kind;
}

}  // namespace

std::vector<std::string> left_copies(const session::ReviewSession& session,
                                     const std::vector<std::string>& discarded) {
  std::vector<std::string> copies;
  const bool any = std::any_of(
      discarded.begin(), discarded.end(),
      [&session](const std::string& path) { return may_have_moved_away(session, path); });
  if (!any) {
    return copies;
  }
  const std::set<std::string_view> given_back{discarded.begin(), discarded.end()};
  for (const auto& [to, from] : bases::find_own_moves(session).old_names) {
    if (is_of(given_back, from) && !is_of(given_back, to)) {
      copies.push_back(to);
    }
  }
  return copies;
}

void record_left_copies(const session::ReviewSession& session,
                        const std::vector<std::string>& copies) {
  for (const std::string& path : copies) {
    if (!store::find_base(*session.db, session.row.id, path)) {
      store::put_base(*session.db, session.row.id, path, Base::absent(BaseSource::Apply));
    }
  }
}

}  // namespace shadow::discard
