// SPDX-License-Identifier: MIT
// The session's side of an undo: changes taken from the project are pending in the session again,
// unless it has moved on since.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/promotion.hpp"
#include "shadow/rare.hpp"
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
#include <string_view>
#include <unordered_map>
#include <vector>

namespace shadow::apply {

// By path, what the session made its version from where the project had changed that.
using MadeFrom = std::map<std::string_view, Base>;
[[nodiscard]] MadeFrom made_from(const std::vector<ReviewItem>& taken);

// Remembers, with an apply or undo that is being made done, the base that the session had at a path
// that was written; part of its transaction, before the new base is put. What it was made from
// counts as that: taking it back gives the project's file a new time, by which it would be the
// later one of the two.
void remember_base(const session::ReviewSession& session, std::int64_t apply,
                   const std::string& path, const MadeFrom& later = {});

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
  void record(std::int64_t undo, const EachApplied& each);

  // After a failure: what was put into the upper goes again, now or with the next command.
  void abandon() noexcept;

  [[nodiscard]] const GivenBack& outcome() const { return outcome_; }

 private:
  [[nodiscard]] bool is_copy(const std::string& path) const;
  [[nodiscard]] bool is_newer(const Entry& decides) const;
  [[nodiscard]] std::optional<Base> own_version(const std::string& path) const;
  [[nodiscard]] bool has_content_of(const Base& base, const AppliedEntry& path,
                                    const Entry& found) const;
  [[nodiscard]] std::optional<Base> base_after(const AppliedEntry& path) const;
  [[nodiscard]] bool has_other_version(const std::string& path,
                                       const std::optional<Base>& again) const;
  void find_missing();
  void record(std::int64_t undo, const AppliedEntry& path);
  void announce() const;
  void raise_all(int upper);

  const session::ReviewSession& session_;
  const UndoPlan& undo_;
  std::optional<bases::Copies> copies_;  // as they are once the session is locked
  sys::FileLock lock_;
  std::optional<sys::FileLock> idle_;  // else the session is live
  // What the apply that is taken back had found, if anything.
  std::unordered_map<std::string, Rare<Entry>> found_;
  bool has_bases_ = false;
  std::vector<std::string> missing_;  // paths at which the upper is empty or redundant
  GivenBack outcome_;
};

}  // namespace shadow::apply
