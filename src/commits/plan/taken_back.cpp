// SPDX-License-Identifier: MIT
#include "commits/plan/taken_back.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "changes/worked_on.hpp"
#include "commits/refs/user_moves.hpp"
#include "git/commits/commit_changes.hpp"
#include "git/commits/commit_pairs.hpp"
#include "git/commits/index_edit.hpp"
#include "git/commits/object_copy.hpp"
#include "overlay/read/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::commits {

using promote::WorkedOn;

namespace {

bool is_file(unsigned mode) {
  return mode == git::kFileMode || mode == git::kExecutableMode;
}

std::vector<std::vector<git::TreeDifference>> changes_of(
    const SessionGit& git, const std::vector<UserMove>& moves,
    const std::function<bool(const std::string& path)>& wanted) {
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(moves.size());
  for (const UserMove& move : moves) {
    pairs.emplace_back(move.from, move.to);
  }
  return git::compare_pairs(git.dirs, pairs, wanted);
}

class Search {
 public:
  Search(const TakenBackSources& sources, const BranchWork& work,
         const std::vector<git::TreeDifference>& differences, const CommitJudge& judge,
         const CommitChoice& choice)
      : sources_{sources},
        work_{work},
        judge_{judge},
        choice_{choice},
        is_viewed_{work.real_id.empty() || work.ref == sources.real.head_ref} {
    for (const git::TreeDifference& row : differences) {
      brought_.emplace(row.path, &row);
    }
  }

  std::string find() {
    if (brought_.empty()) {
      return {};
    }
    const std::vector<UserMove> moves =
        user_moves(sources_.session, sources_.git, is_viewed_ ? "HEAD" : work_.ref);
    const auto changes = changes_of(
        sources_.git, moves, [this](const std::string& path) { return brought_.count(path) != 0; });
    for (std::size_t i = 0; i < moves.size(); ++i) {
      for (const git::TreeDifference& row : changes[i]) {
        const git::TreeDifference& one = *brought_.find(row.path)->second;
        // What takes a process of its own comes last.
        if (!is_left_as(one) && takes_back(row, one) && !leads_away(moves[i])) {
          return row.path;
        }
      }
    }
    return {};
  }

 private:
  // The project's work tree gets what the commits have, or has it already: what the session has
  // there and no change of its own is, may be older.
  bool is_left_as(const git::TreeDifference& one) const {
    const std::string path = sources_.git.work_tree + one.path;
    return is_viewed_ && choice_.merged.count(path) == 0 &&
           (choice_.shown.count(path) != 0
                ? judge_.view_has(one.path, one.after_mode, one.after_id)
                : judge_.project_has(one.path, one.after_mode, one.after_id));
  }

  // The user has left what the tip has for what was before it: that is a checkout, or an undo.
  bool leads_away(const UserMove& move) const {
    return git::is_real_ancestor(sources_.git.dirs, move.to, move.from) &&
           (move.from == work_.view_id ||
            git::is_real_ancestor(sources_.git.dirs, move.from, work_.view_id));
  }

  bool takes_back(const git::TreeDifference& move, const git::TreeDifference& one) const {
    if (one.after_mode == move.before_mode && one.after_id == move.before_id) {
      return true;
    }
    const bool mode = move.before_mode != move.after_mode && one.before_mode == move.after_mode &&
                      one.after_mode == move.before_mode && is_file(one.after_mode);
    return mode || lines_taken_back(move, one);
  }

  // What the tip has of the file, under its new name if it was moved; "" for nothing.
  std::string id_in_tip(const git::TreeDifference& one) const {
    const auto moved = choice_.merged.find(sources_.git.work_tree + one.path);
    if (one.after_mode != 0 || moved == choice_.merged.end()) {
      return is_file(one.after_mode) ? one.after_id : "";
    }
    const auto there = brought_.find(std::string_view{moved->second}.substr(
        std::min(sources_.git.work_tree.size(), moved->second.size())));
    return there != brought_.end() && is_file(there->second->after_mode) ? there->second->after_id
                                                                         : "";
  }

  bool lines_taken_back(const git::TreeDifference& move, const git::TreeDifference& one) const {
    const std::string tip = id_in_tip(one);
    if (tip.empty() || !is_file(one.before_mode) ||
        (move.before_mode != 0 && !is_file(move.before_mode)) || tip == one.before_id ||
        move.before_id == one.before_id) {
      return false;
    }
    if (tip == move.before_id) {
      return true;
    }
    std::vector<std::string> ids = {one.before_id, tip};
    if (move.before_mode != 0) {
      ids.push_back(move.before_id);
    }
    const std::vector<std::string> texts = git::blob_texts(sources_.git.dirs, ids);
    return texts.size() == ids.size() &&
           changes::worked_on_text(ids.size() > 2 ? texts[2] : "", texts[0], texts[1]) ==
               WorkedOn::TakenBack;
  }

  const TakenBackSources& sources_;
  const BranchWork& work_;
  const CommitJudge& judge_;
  const CommitChoice& choice_;
  bool is_viewed_;
  std::map<std::string_view, const git::TreeDifference*> brought_;
};

// Whether the session's text lacks something of the move's, which is the last one there.
class Behind {
 public:
  explicit Behind(const TakenBackSources& sources)
      : sources_{sources}, view_{sources.session.upper.get(), sources.session.lower.get()} {}

  bool at(const std::string& path, const git::TreeDifference& move, const std::string& head,
          bool all) const {
    constexpr std::uint64_t kMostText = std::uint64_t{8} << 20U;
    const Entry entry = view_.look(path);
    if (head.empty() || entry.kind != EntryKind::File) {
      return head.empty() != !entry.exists();
    }
    const auto text = view_.read(path, kMostText);
    const std::string id = text ? git::blob_id(*text) : "";
    if (id == head || (move.before_mode != 0 && !is_file(move.before_mode))) {
      return false;
    }
    if (!text || id == move.before_id || move.before_id == head) {
      return id == move.before_id;
    }
    std::vector<std::string> ids = {head};
    if (move.before_mode != 0) {
      ids.push_back(move.before_id);
    }
    const std::vector<std::string> texts = git::blob_texts(sources_.git.dirs, ids);
    if (texts.size() != ids.size()) {
      return all;
    }
    const auto worked = changes::worked_on_text(ids.size() > 1 ? texts[1] : "", texts[0], *text);
    const WorkedOn how = worked.value_or(WorkedOn::Replaced);
    return how == WorkedOn::TakenBack || (all && how != WorkedOn::Kept);
  }

 private:
  const TakenBackSources& sources_;
  overlay::View view_;
};

}  // namespace

std::vector<std::string> paths_behind_head(const TakenBackSources& sources,
                                           const std::map<std::string, bool>& paths) {
  const Behind behind{sources};
  std::map<std::string, std::string> head;  // what it has there, "" for nothing
  std::set<std::string> found;
  const std::vector<UserMove> moves =
      paths.empty() ? std::vector<UserMove>{} : user_moves(sources.session, sources.git, "HEAD");
  const auto changes = changes_of(sources.git, moves, [&](const std::string& path) {
    return paths.count(sources.git.work_tree + path) != 0;
  });
  for (const auto& rows : changes) {
    for (const git::TreeDifference& row : rows) {
      const auto path = paths.find(sources.git.work_tree + row.path);
      if (found.count(path->first) != 0) {
        continue;
      }
      // The newest move comes first.
      const auto& [at, now] = *head.try_emplace(path->first, row.after_id).first;
      if (behind.at(at, row, now, path->second)) {
        found.insert(at);
      }
    }
  }
  return {found.begin(), found.end()};
}

std::string path_taken_back(const TakenBackSources& sources, const BranchWork& work,
                            const std::vector<git::TreeDifference>& differences,
                            const CommitJudge& judge, const CommitChoice& choice) {
  return Search{sources, work, differences, judge, choice}.find();
}

}  // namespace shadow::commits
