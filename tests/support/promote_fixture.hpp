// SPDX-License-Identifier: MIT
// A project, the tree that a session made of it, and a state directory.

#pragma once

#include "shadow/apply.hpp"

#include "promote/recover/transaction.hpp"
#include "store/database/database.hpp"
#include "support/scratch.hpp"
#include "support/trees.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <sys/stat.h>

namespace shadow::test {

class Promotion {
 public:
  Promotion() {
    for (const std::string& dir : {real, wanted, state}) {
      if (::mkdir(dir.c_str(), 0700) != 0) {
        throw_errno("make " + dir);
      }
    }
    database_ = std::make_unique<store::Database>(state + "/shadow.db");
  }

  [[nodiscard]] ApplyPlan plan() const { return plan_apply(changes_between(real, wanted)); }

  ApplyResult apply(const ApplyPlan& plan, RecordOutcome record = {}) {
    ApplyRequest request;
    request.session = "0123456789abcdef";
    request.record = std::move(record);
    const sys::Fd upper = sys::open_path(wanted, O_RDONLY | O_DIRECTORY);
    request.upper = upper.get();
    return execute(site(), plan, request);
  }
  ApplyResult apply() { return apply(plan()); }

  [[nodiscard]] ApplySite site() { return {state, real, *database_}; }

  // Nothing of an apply is left over: no marker, no journal that is not ended.
  [[nodiscard]] bool settled() {
    return !promote::recovery_needed(state, real) && promote::recover(site()).empty();
  }

 private:
  Scratch scratch_;

 public:
  const std::string real = scratch_.path() + "/real";
  const std::string wanted = scratch_.path() + "/wanted";
  const std::string state = scratch_.path() + "/state";

 private:
  std::unique_ptr<store::Database> database_;
};

// The plan of the undo that choose_undo finds, where no file was moved.
inline UndoPlan plan_undo(const ApplySite& site, std::optional<std::int64_t> id) {
  return shadow::plan_undo(site, choose_undo(site, id, std::nullopt),
                           [](const auto&) { return MovedFrom{}; });
}

}  // namespace shadow::test
