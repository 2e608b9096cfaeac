// SPDX-License-Identifier: MIT
// One step of a refresh after the other: each path is brought up to the project, and its base with
// it.
//
// In what order, so that nothing is lost wherever it is interrupted: the new base is written down
// as pending, then the upper changes (one rename or unlink), then the base counts. An upper without
// the project's edit must never have the edited file as its base: that would say that the session
// took the edit back. The other way round, an upper with the edit and the old base, is a merge that
// gives the same again.

#pragma once

#include "changes/merger.hpp"
#include "live/view_edit.hpp"
#include "overlay/write/lift.hpp"
#include "refresh/refresh_plan.hpp"
#include "session/directory/review_session.hpp"
#include "store/contents/blobs.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace shadow::refresh {

class Refresher {
 public:
  // With `edit` the session is live, and what is done to its side is done through the view. Borrows
  // both.
  Refresher(const session::ReviewSession& session, live::ViewEdit* edit);

  // Throws StaleError when the project's entry or the session's is not what was planned with.
  void carry_out(const RefreshStep& step);

  // Directories that are there for what was in them, where the project has none any more: above
  // what was removed, and among the candidates. True when there were any.
  bool remove_emptied_directories(std::set<std::string> candidates) const;

 private:
  void rewrite(const RefreshStep& step);
  void rebase(const RefreshStep& step);
  void take_out(const RefreshStep& step);
  void follow_in_view(const RefreshStep& step);
  void renew_base(const RefreshStep& step);

  [[nodiscard]] std::string merged_text(const RefreshStep& step) const;
  void carry_shown(const RefreshStep& step, std::string_view bytes, std::uint32_t mode) const;
  // As if taken by the ledger where the session's entry stays, and else, as after a discard, from
  // the tree.
  [[nodiscard]] Base base_of(const RefreshStep& step, BaseSource source);
  void note_within(const RefreshStep& step, const std::string& upper_hash, Base base) const;
  void note(const RefreshStep& step, const std::string& upper_hash, Base base) const;

  [[nodiscard]] int upper() const { return session_.upper.get(); }
  [[nodiscard]] int lower() const { return session_.lower.get(); }

  const session::ReviewSession& session_;
  live::ViewEdit* edit_;
  changes::Merger merger_;
  store::Blobs blobs_;
  overlay::StaysHidden stays_hidden_;
  std::set<std::string> removed_;
};

}  // namespace shadow::refresh
