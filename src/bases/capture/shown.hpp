// SPDX-License-Identifier: MIT
// What a live view has shown of the project before the session had an entry at a path, as the
// process that has it follow the project notes it (follow/version_notes).

#pragma once

#include "shadow/base.hpp"
#include "shadow/session.hpp"

#include "store/database/database.hpp"
#include "store/tables/shown_versions.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shadow::bases {

class Shown {
 public:
  // Borrows the state.
  Shown(const StateDir& state, std::string session) : state_{state}, session_{std::move(session)} {}

  // The first version that was shown, with its text among the bases' texts; nullopt if nothing was
  // there when the entry came, or nothing is known of it.
  [[nodiscard]] std::optional<Base> first(store::Database& db, const std::string& path) const;

  // Likewise the last one, if its content is known.
  [[nodiscard]] std::optional<Base> last(store::Database& db, const std::string& path) const;

  // True if nothing was there any more when the entry came.
  [[nodiscard]] bool was_gone(store::Database& db, const std::string& path) const;

  // Those that were shown, newest first, as they were noted.
  [[nodiscard]] std::vector<store::ShownVersion> versions(store::Database& db,
                                                          const std::string& path) const;

  // The version with its text among the bases' texts, if it is kept.
  [[nodiscard]] Base kept(store::Database& db, const std::string& path,
                          const store::ShownVersion& version) const;

 private:
  [[nodiscard]] std::vector<store::ShownVersion> find(store::Database& db,
                                                      const std::string& path) const;

  const StateDir& state_;
  std::string session_;
  mutable std::optional<bool> any_;  // most sessions have none, and may have very many paths
};

}  // namespace shadow::bases
