// SPDX-License-Identifier: MIT
// Copies of what is offered part by part: shown and written from, whatever the session does
// meanwhile.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/review.hpp"

#include "hunks/pick.hpp"
#include "overlay/read/held_copies.hpp"
#include "session/directory/review_session.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow::apply {

class OfferStage {
 public:
  // Copies what the plan writes of these offers: small files into memory, others into nameless ones
  // beside the session, as clones where the filesystem has them. Not what nobody is shown, the
  // inside of a new git directory. Throws StaleError when a file is not what was reviewed any more.
  OfferStage(const session::ReviewSession& session, const ApplyPlan& plan,
             const std::vector<hunks::Offer>& offers);

  // By path; the contents are borrowed from this.
  [[nodiscard]] const hunks::HeldFiles& files() const { return files_; }

  // The attributes that the file will have, when they were looked at.
  [[nodiscard]] const Xattrs* attributes_of(const std::string& path) const;

  // Has a step for a whole file write the copy. Borrows from this.
  void put_into(Step& step) const;

 private:
  void hold(const session::ReviewSession& session, const ReviewItem& item, const Step& step);
  void copy(const session::ReviewSession& session, const Step& step, PatchFile& file);
  [[nodiscard]] bool same_copies(const std::string& a, const std::string& b) const;

  hunks::HeldFiles files_;
  std::map<std::string, Xattrs> attributes_;
  overlay::HeldCopies held_;
};

// The session's user.* attributes and ACLs of the file. Throws StaleError when one of the two
// entries is not what was reviewed.
[[nodiscard]] Xattrs attributes_in(const session::ReviewSession& session, const Change& change,
                                   bool of_session);

}  // namespace shadow::apply
