// SPDX-License-Identifier: MIT
#include "commits/plan/taken_back.hpp"

#include "base/git_names.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "git/commits/object_copy.hpp"
#include "git/repository/git_refs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace shadow::commits {

namespace {

struct Move {
  std::string from;
  std::string to;
};

bool is_commit(std::string_view word) {
  return git::is_object_id(word) && word.find_first_not_of('0') != std::string_view::npos;
}

// A line of a ref's log, as git-update-ref(1) describes it: "FROM TO NAME <ADDRESS> SECONDS
// ZONE\tWHY".
struct LogLine {
  std::int64_t seconds = 0;
  std::optional<Move> move;  // nullopt where there was nothing before, or is nothing afterwards
};

std::optional<LogLine> read_line(std::string_view line) {
  const std::string_view who = line.substr(0, line.find('\t'));
  const std::size_t address = who.rfind("> ");
  LogLine read;
  if (address == std::string_view::npos || address < 2 * git::kHexId + 2 ||
      !read_numbers(who.substr(address + 2), read.seconds)) {
    return std::nullopt;
  }
  const std::string_view from = who.substr(0, git::kHexId);
  const std::string_view to = who.substr(git::kHexId + 1, git::kHexId);
  if (is_commit(from) && is_commit(to)) {
    read.move = Move{std::string{from}, std::string{to}};
  }
  return read;
}

bool is_own(std::string_view line) {
  const std::size_t why = line.find('\t');
  return why != std::string_view::npos && line.substr(why + 1).starts_with("shadow: ");
}

// Those of the user, newest first.
std::vector<Move> user_moves(const session::ReviewSession& session, const SessionGit& git) {
  constexpr std::size_t kMost = 50;
  const auto log = git::disk_reader(git.real.dir).read("logs/HEAD");
  std::vector<std::string> lines = split(log.value_or(""), '\n');
  std::reverse(lines.begin(), lines.end());
  std::vector<Move> moves;
  for (const std::string& line : lines) {
    const auto read = read_line(line);
    if (read && (read->seconds < session.row.created_ns / 1'000'000'000 || moves.size() == kMost)) {
      break;
    }
    if (read && read->move && !is_own(line)) {
      moves.push_back(*read->move);
    }
  }
  return moves;
}

}  // namespace

std::string path_taken_back(const session::ReviewSession& session, const SessionGit& git,
                            const CommitJudge& judge,
                            const std::vector<git::TreeDifference>& differences) {
  std::map<std::string_view, const git::TreeDifference*> brought;
  for (const git::TreeDifference& row : differences) {
    brought.emplace(row.path, &row);
  }
  for (const Move& move : user_moves(session, git)) {
    for (const git::TreeDifference& row :
         git::compare_commits(git.dirs, move.from, move.to).differences) {
      const auto found = brought.find(row.path);
      if (found == brought.end()) {
        continue;
      }
      const git::TreeDifference& one = *found->second;
      if (one.after_mode == row.before_mode && one.after_id == row.before_id &&
          judge.view_has(one.path, one.before_mode, one.before_id)) {
        return one.path;
      }
    }
  }
  return {};
}

}  // namespace shadow::commits
