// SPDX-License-Identifier: MIT
#include "commits/refs/user_moves.hpp"

#include "base/git_names.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/applies.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include <fcntl.h>

namespace shadow::commits {

namespace {

// A line of a ref's log, as git-update-ref(1) describes it: "FROM TO NAME <ADDRESS> SECONDS
// ZONE\tWHY".
struct LogLine {
  std::int64_t seconds = 0;
  std::optional<UserMove> move;  // nullopt where there was nothing before, or is nothing afterwards
  bool by_shadow = false;        // as it says
};

bool is_commit(std::string_view word) {
  return git::is_object_id(word) && word.find_first_not_of('0') != std::string_view::npos;
}

// "\tcheckout: moving from main to topic", of git-switch(1), too; no branch has a blank in its
// name.
void note_branches(std::string_view why, UserMove& move) {
  constexpr std::string_view kMoving = "\tcheckout: moving from ";
  constexpr std::string_view kTo = " to ";
  const std::size_t to = why.find(kTo, kMoving.size());
  if (why.starts_with(kMoving) && to != std::string_view::npos) {
    move.left = git::kHeads;
    move.left += why.substr(kMoving.size(), to - kMoving.size());
    move.entered = git::kHeads;
    move.entered += why.substr(to + kTo.size());
  }
}

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
    read.move = UserMove{std::string{from}, std::string{to}};
    note_branches(line.substr(who.size()), *read.move);
  }
  read.by_shadow = line.find("\tshadow: ") != std::string_view::npos;
  return read;
}

// The end of it, of what lies behind so many bytes.
std::string read_log(const std::string& git_dir, const std::string& ref, std::uint64_t after) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 10U;
  const sys::Fd dir = sys::open_path(git_dir, O_RDONLY | O_DIRECTORY);
  const sys::Fd log = sys::try_open_beneath(dir.get(), "logs/" + ref, O_RDONLY | O_NONBLOCK);
  if (!log || overlay::look_fd(log.get()).kind != EntryKind::File) {
    return {};
  }
  const off_t begin =
      std::max(sys::size_of(log.get()) - static_cast<off_t>(kMostBytes), static_cast<off_t>(after));
  std::string text(kMostBytes, '\0');
  text.resize(sys::read_at(log.get(), text.data(), text.size(), begin));
  return text;
}

// Of the log's lines, in either order, what the user's moves are.
std::vector<UserMove> of_user(const session::ReviewSession& session,
                              const std::vector<LogLine>& lines) {
  std::vector<UserMove> moves;
  std::optional<std::set<std::string>> own;
  for (const LogLine& line : lines) {
    if (!own) {
      own = applied_commits(session, "");
    }
    if (!line.by_shadow || own->count(line.move->to) == 0) {
      moves.push_back(*line.move);
    }
  }
  return moves;
}

// Newest first.
std::vector<LogLine> lines_of(std::string_view log, std::int64_t since) {
  std::vector<std::string> all = split(std::string{log}, '\n');
  std::reverse(all.begin(), all.end());
  std::vector<LogLine> lines;
  for (const std::string& text : all) {
    auto line = read_line(text);
    if (line && line->seconds < since) {
      break;
    }
    if (line && line->move) {
      lines.push_back(*std::move(line));
    }
  }
  return lines;
}

// Newest first: of very many the last ones, and all of them as one.
std::vector<UserMove> some_of(std::vector<UserMove> moves) {
  constexpr std::size_t kMost = 50;
  if (moves.size() > kMost) {
    moves[kMost] = {moves.back().from, moves.front().to};
    moves.resize(kMost + 1);
  }
  return moves;
}

}  // namespace

std::set<std::string> applied_commits(const session::ReviewSession& session,
                                      const std::string& ref) {
  std::set<std::string> ids;
  for (const store::ApplyRow& apply :
       store::applies_of_project(*session.db, session.project.root)) {
    if (apply.session == session.row.id) {
      for (const store::ApplyRefRow& row : store::refs_of_apply(*session.db, apply.id)) {
        if (ref.empty() || row.name == ref) {
          ids.insert(row.to);
        }
      }
    }
  }
  return ids;
}

std::vector<UserMove> user_moves(const session::ReviewSession& session, const SessionGit& git,
                                 const std::string& ref) {
  const bool head = ref == "HEAD";  // each work tree has a log of its own
  const std::int64_t since = session.row.created_ns / 1'000'000'000;
  const std::string log =
      head ? read_log(git.real.dir, "HEAD", 0) : read_log(git.real.common, ref, 0);
  return some_of(of_user(session, lines_of(log, since)));
}

std::optional<std::vector<UserMove>> user_moves_since(const session::ReviewSession& session,
                                                      const SessionGit& git,
                                                      const session::FollowedHead& followed) {
  std::vector<LogLine> lines = lines_of(read_log(git.real.dir, "HEAD", followed.log_size), 0);
  // git logs a move before it is done: the first one may have been followed.
  const auto first = std::find_if(lines.rbegin(), lines.rend(), [&followed](const LogLine& line) {
    return line.move->from == followed.commit;
  });
  if (first == lines.rend()) {
    return std::nullopt;
  }
  lines.erase(first.base(), lines.end());
  return some_of(of_user(session, lines));
}

}  // namespace shadow::commits
