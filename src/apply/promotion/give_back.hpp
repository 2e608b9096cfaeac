// SPDX-License-Identifier: MIT
// The session's side of an undo: changes taken from the project are pending in the session again,
// unless it has moved on since.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/promotion.hpp"
#include "shadow/review.hpp"

#include "bases/ledger/copies.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/lock.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow::apply {

// Remembers, with an apply or undo that is being made done, the bases that the session had at the
// paths that were written; part of its transaction, before the new bases are put. Where one of
// `taken` was made from what the project had changed, that is the base: taking it back gives the
// project's file a new time, by which it would be the later one of the two.
void remember_bases(const session::ReviewSession& session, std::int64_t apply,
                    const std::vector<AppliedPath>& paths,
                    const std::vector<ReviewItem>& taken = {});

// One undo in its session. The order makes it whole wherever it ends: before the project is written
// the upper gets what the project still has there, which is redundant; then the bases change in the
// transaction that makes the undo done, and it says what the apply had taken.
class GiveBack {
 public:
  GiveBack(const session::ReviewSession& session, const UndoPlan& undo);

  // Before the project is written. Throws Error (Refused when another command works on the
  // session): then nothing is to be written.
  void prepare();

  // Part of the undo's transaction.
  void record(std::int64_t undo, const std::vector<AppliedPath>& paths);

  // After a failure: what was put into the upper goes again, now or with the next command.
  void abandon() noexcept;

  [[nodiscard]] const GivenBack& outcome() const { return outcome_; }

 private:
  [[nodiscard]] bool is_copy(const std::string& path) const;
  [[nodiscard]] bool is_newer(const Entry& decides) const;
  [[nodiscard]] std::optional<Base> own_version(const std::string& path) const;
  [[nodiscard]] bool has_content_of(const Base& base, const AppliedPath& path,
                                    const Entry& found) const;
  [[nodiscard]] std::optional<Base> base_after(const AppliedPath& path) const;
  [[nodiscard]] bool has_other_version(const std::string& path,
                                       const std::optional<Base>& again) const;
  void find_missing();
  void announce() const;
  void raise_all(int upper);

  const session::ReviewSession& session_;
  const UndoPlan& undo_;
  std::optional<bases::Copies> copies_;  // as they are once the session is locked
  sys::FileLock lock_;
  std::optional<sys::FileLock> idle_;   // else the session is live
  std::map<std::string, Entry> found_;  // what the apply that is taken back had found
  bool has_bases_ = false;
  std::vector<std::string> missing_;  // paths at which the upper is empty or redundant
  GivenBack outcome_;
};

}  // namespace shadow::apply
