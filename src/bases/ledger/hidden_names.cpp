// SPDX-License-Identifier: MIT
#include "bases/ledger/hidden_names.hpp"

#include "bases/ledger/unrecorded.hpp"
#include "bases/tree/base_tree.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/placed_copies.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/shown_versions.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace shadow::bases {
namespace {

class HiddenNames {
 public:
  HiddenNames(store::Database& db, const session::SessionDir& session, int lower)
      : db_{db}, session_{session}, lower_{lower} {}

  [[nodiscard]] bool stays_hidden(const std::string& path) {
    const std::int64_t since_ns = hidden_since(path);
    return !was_made_after(overlay::look_beneath(lower_, path), since_ns) ||
           was_shown(path, since_ns) || was_copied(path) || !is_new(path);
  }

 private:
  // The time at which the first directory above began to hide what is in it; INT64_MAX: none does.
  [[nodiscard]] std::int64_t hidden_since(const std::string& path) const {
    std::int64_t first_ns = INT64_MAX;
    for (std::string_view above = sys::split_path(path).parent; !above.empty();
         above = sys::split_path(above).parent) {
      first_ns = std::min(first_ns, hides_since(db_, session_.id(), std::string{above}));
    }
    return first_ns;
  }

  [[nodiscard]] bool was_shown(const std::string& path, std::int64_t before_ns) const {
    const auto versions = store::shown_versions(db_, session_.id(), path);
    return std::any_of(versions.begin(), versions.end(),
                       [before_ns](const auto& one) { return one.noted_ns <= before_ns; });
  }

  // The view of a live run had it although the directory hides it, and the session has deleted it.
  [[nodiscard]] bool was_copied(const std::string& path) {
    if (!copied_) {
      copied_.emplace();
      for (const auto& [one, copy] : store::placed_copies(db_, session_.id())) {
        copied_->insert(one);
      }
      for (const auto& [one, real_ctime_ns] : store::shown_copies(db_, session_.id())) {
        copied_->insert(one);
      }
    }
    return copied_->contains(path) || store::find_base(db_, session_.id(), path);
  }

  [[nodiscard]] bool is_new(const std::string& path) {
    if (!tree_read_) {
      tree_ = read_base_tree(session_.fd());
      tree_read_ = true;
    }
    return tree_ && tree_->answer_for(path) == TreeAnswer::Absent;
  }

  store::Database& db_;
  const session::SessionDir& session_;
  int lower_;
  std::optional<std::set<std::string>> copied_;
  std::optional<BaseTree> tree_;
  bool tree_read_ = false;
};

}  // namespace

bool was_made_after(const Entry& real, std::int64_t since_ns) {
  return real.btime_ns > since_ns;
}

std::int64_t hides_since(store::Database& db, const std::string& session,
                         const std::string& directory) {
  const auto seen = store::find_seen(db, session, directory);
  const auto hidden =
      seen && !hid_nothing(*seen) ? store::hidden_since(db, session, directory) : std::nullopt;
  return hidden ? hidden->since_ns : INT64_MAX;
}

overlay::StaysHidden hidden_by_session(store::Database& db, const session::SessionDir& session,
                                       int lower) {
  const auto names = std::make_shared<HiddenNames>(db, session, lower);
  return [names](const std::string& path) { return names->stays_hidden(path); };
}

}  // namespace shadow::bases
