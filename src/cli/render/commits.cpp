// SPDX-License-Identifier: MIT
#include "cli/render/commits.hpp"

#include "base/git_names.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/render/not_shown.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/plural.hpp"
#include "cli/render/promotion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shadow::cli {

namespace {

constexpr std::size_t kShortId = 10;
constexpr std::int64_t kSecond = 1'000'000'000;

const char* to_word(BranchWork::State state) {
  switch (state) {
    case BranchWork::State::New:
      return "new";
    case BranchWork::State::Ahead:
      return "ahead";
    case BranchWork::State::Diverged:
      return "diverged";
    case BranchWork::State::Deleted:
      return "deleted";
    case BranchWork::State::Unreadable:
      break;
  }
  return "unreadable";
}

// A commit can name any time.
std::string time_text(std::int64_t seconds) {
  constexpr std::int64_t kMost = 9'000'000'000;
  return local_time(std::clamp(seconds, -kMost, kMost) * kSecond);
}

const char* to_word(CommitFate fate) {
  switch (fate) {
    case CommitFate::Move:
      return "move";
    case CommitFate::Aside:
      return "aside";
    case CommitFate::Leave:
      break;
  }
  return "leave";
}

std::string count_text(const BranchWork& work) {
  return (work.more ? "more than " : "") + plural(work.commits.size(), "commit");
}

bool is_branch(const BranchWork& work) {
  return work.ref.starts_with(git::kHeads);
}

// To commits that another branch of the project has, as after 'apply --branch'.
bool moves_alone(const BranchWork& work) {
  return work.state == BranchWork::State::Ahead && work.commits.empty() && !work.more;
}

// "main: 2 commits, a new branch"
std::string what_text(const BranchWork& work) {
  std::string text = "  " + printable(work.branch);
  if (work.state == BranchWork::State::Deleted || work.state == BranchWork::State::Unreadable) {
    return text;
  }
  if (moves_alone(work)) {
    text += ": on to commits that the project has";
  } else if (is_branch(work) || !work.commits.empty()) {
    text += ": " + count_text(work);
  }
  if (work.state == BranchWork::State::New) {
    text += is_branch(work) ? ", a new branch" : ", new";
  }
  return text;
}

std::string reason_text(const std::string& why) {
  return why.empty() ? std::string{} : " (" + printable(why) + ")";
}

std::string note_of_not_shown(const std::vector<std::string>& paths) {
  return paths.empty() ? std::string{} : "note: " + not_shown_text(paths);
}

std::string remarks_text(const workspace::Plan& plan) {
  std::string text;
  for (const std::string& remark : plan.remarks()) {
    text += "note: " + remark + "\n";
  }
  return text;
}

Json commit_json(const Commit& commit) {
  Json one;
  one["id"] = commit.id;
  set_bytes(one, "author", commit.author);
  one["time"] = commit.time;
  set_bytes(one, "subject", commit.subject);
  return one;
}

Json item_json(const PlannedRef& item) {
  Json record = to_json(item.work);
  record["fate"] = to_word(item.fate);
  record["why"] = item.why;
  return record;
}

}  // namespace

std::string commit_head(const NewCommit& one, bool color) {
  std::vector<std::string> branches;
  for (const std::string& branch : one.branches) {
    branches.push_back(printable(branch));
  }
  return painted(Paint::Yellow, "commit " + one.commit.id, color) +
         fmt::format(" ({})\nAuthor: {}\nDate:   {}\n\n    {}\n", join(branches, ", "),
                     printable(one.commit.author), time_text(one.commit.time),
                     printable(one.commit.subject));
}

Json to_json(const NewCommit& one) {
  Json record = commit_json(one.commit);
  record["branches"] = Json::array();
  for (const std::string& branch : one.branches) {
    Json name;
    set_bytes(name, "branch", branch);
    record["branches"].push_back(std::move(name));
  }
  return record;
}

std::string new_repository_line(const NewHistory& history, std::string_view from,
                                const std::optional<std::string>& agent) {
  std::vector<std::string> parts;
  const bool more = std::any_of(history.rows.begin(), history.rows.end(),
                                [](const BranchWork& work) { return work.more; });
  std::set<std::string_view> ids;
  for (const BranchWork& work : history.rows) {
    for (const Commit& commit : work.commits) {
      ids.insert(commit.id);
    }
  }
  if (const std::size_t count = ids.size(); count > 0) {
    parts.push_back((more ? "more than " : "") + plural(count, "commit"));
  }
  if (!history.fault.empty()) {
    parts.push_back("stays in the session: " + printable(history.fault));
  } else if (!history.index_fault.empty()) {
    parts.push_back("what is staged stays in the session: " + printable(history.index_fault));
  }
  std::string text = fmt::format("  {}/{}\n", printable(relative_path(history.git_dir, from)),
                                 parts.empty() ? std::string{} : "  (" + join(parts, "; ") + ")");
  if (const std::string line = not_shown_text(history.not_shown); !line.empty()) {
    text +=
        "    its " + line + "    " + with_agent("'shadow diff --commits -p' shows them.\n", agent);
  }
  return text;
}

Json to_json(const NewHistory& history) {
  Json record;
  set_bytes(record, "path", history.git_dir);
  record["branches"] = Json::array();
  for (const BranchWork& work : history.rows) {
    record["branches"].push_back(to_json(work));
  }
  record["stays"] = history.fault;
  record["index_stays"] = history.index_fault;
  record["not_shown"] = not_shown_json(history.not_shown);
  return record;
}

Json to_json(const BranchWork& work) {
  Json record;
  set_bytes(record, "branch", work.branch);
  set_bytes(record, "ref", work.ref);
  record["state"] = to_word(work.state);
  record["real"] = work.real_id;
  record["view"] = work.view_id;
  record["more"] = work.more;
  record["commits"] = Json::array();
  for (const Commit& commit : work.commits) {
    record["commits"].push_back(commit_json(commit));
  }
  return record;
}

Json foreseen_json(const BranchWork& work, const PlannedRef* planned) {
  Json record = to_json(work);
  record["fate"] = to_word(planned == nullptr ? CommitFate::Leave : planned->fate);
  record["why"] = planned == nullptr ? std::string{} : planned->why;
  set_bytes(record, "target", planned == nullptr ? std::string{} : planned->becomes());
  record["kept"] = planned != nullptr && planned->already;
  return record;
}

std::string news_text(const BranchWork& work) {
  return moves_alone(work)                    ? "on to commits that the project has"
         : work.commits.empty() && !work.more ? "nothing that the project has not"
                                              : count_text(work) + " not in the project";
}

std::string commits_text(const std::vector<BranchWork>& branches, bool color) {
  std::string text;
  for (const BranchWork& work : branches) {
    text += text.empty() ? "" : "\n";
    text += printable(work.branch);
    if (work.state == BranchWork::State::Deleted) {
      text += ": deleted in the session\n";
      continue;
    }
    if (work.state == BranchWork::State::Unreadable) {
      text += ": cannot be read\n";
      continue;
    }
    text += ": " + news_text(work);
    text += work.state == BranchWork::State::New        ? ", new\n"
            : work.state == BranchWork::State::Diverged ? ", diverged from the project's\n"
                                                        : "\n";
    for (const Commit& commit : work.commits) {
      text +=
          fmt::format("  {}  {}  {}\n              {}\n",
                      painted(Paint::Yellow, commit.id.substr(0, kShortId), color),
                      time_text(commit.time), printable(commit.author), printable(commit.subject));
    }
  }
  return text.empty() ? "no commits\n" : text;
}

Json commits_json(const std::vector<BranchWork>& branches) {
  Json top;
  top["branches"] = Json::array();
  for (const BranchWork& work : branches) {
    top["branches"].push_back(to_json(work));
  }
  return top;
}

std::string plan_text(const workspace::Plan& plan) {
  std::string text;
  for (const PlannedRef& item : plan.refs()) {
    text += what_text(item.work);
    if (item.fate == CommitFate::Aside) {
      text += " as " + printable(item.aside);
    } else if (item.fate == CommitFate::Leave) {
      text += ", stays in the session";
    }
    text += reason_text(item.why) + "\n";
  }
  return (text.empty() ? text : "commits to be taken:\n" + text) + remarks_text(plan) +
         note_of_not_shown(plan.not_shown());
}

std::string outcome_text(const workspace::Plan& plan, const CommitOutcome& outcome) {
  std::string text;
  for (const MovedRef& moved : outcome.refs) {
    const PlannedRef& item = moved.item;
    text += what_text(item.work);
    if (item.fate == CommitFate::Aside) {
      text += fmt::format(" {} {}", moved.already ? "already kept as" : "kept as",
                          printable(moved.ref));
    } else if (item.fate == CommitFate::Leave) {
      text += ", left in the session";
    }
    text += reason_text(item.why) + "\n";
  }
  for (const std::string& ref : outcome.arrived) {
    text += fmt::format("  {} removed: a branch of the project has all of it\n", printable(ref));
  }
  return (text.empty() ? text : "commits:\n" + text) + remarks_text(plan) +
         note_of_not_shown(plan.not_shown());
}

Json refs_json(const std::vector<PlannedRef>& refs) {
  Json list = Json::array();
  for (const PlannedRef& item : refs) {
    Json record = item_json(item);
    set_bytes(record, "target", item.becomes());
    list.push_back(std::move(record));
  }
  return list;
}

Json moved_json(const std::vector<MovedRef>& refs) {
  Json list = Json::array();
  for (const MovedRef& moved : refs) {
    Json record = item_json(moved.item);
    set_bytes(record, "target", moved.ref);
    list.push_back(std::move(record));
  }
  return list;
}

std::string branch_text(const MadeBranch& made, std::string_view from) {
  std::vector<std::string> parts;
  if (made.commits > 0) {
    parts.push_back(fmt::format("{}{} of the session", made.more ? "more than " : "",
                                plural(made.commits, "commit")));
  }
  if (made.files > 0) {
    parts.push_back("a commit of " + plural(made.files, "path"));
  }
  const std::string what =
      fmt::format("{} at {}: {}", printable(made.ref.substr(git::kHeads.size())),
                  made.id.substr(0, kShortId), join(parts, ", "));
  return (made.apply == 0
              ? "to be made: branch " + what + "\n"
              : fmt::format("made branch {}; 'shadow undo {}' takes it back\n", what, made.apply)) +
         left_text(made.chosen, from) + note_of_not_shown(made.not_shown);
}

Json branch_json(const MadeBranch& made) {
  Json record;
  record["apply"] = made.apply == 0 ? Json{} : Json(made.apply);
  set_bytes(record, "ref", made.ref);
  record["id"] = made.id;
  record["commits"] = made.commits;
  record["more"] = made.more;
  record["paths"] = made.files;
  record["not_shown"] = not_shown_json(made.not_shown);
  return record;
}

std::string undone_text(const std::vector<UndoneRef>& refs) {
  std::string text;
  for (const UndoneRef& undone : refs) {
    if (!undone.why.empty()) {
      text += fmt::format("left as it is: {} ({})\n", printable(undone.ref), printable(undone.why));
      continue;
    }
    text += "moved back: " + printable(undone.ref);
    text += undone.kept_as.empty() ? "" : "; its commits are kept as " + printable(undone.kept_as);
    text += undone.pending ? ", and in the session again\n" : "\n";
  }
  return text;
}

Json undone_json(const std::vector<UndoneRef>& refs) {
  Json list = Json::array();
  for (const UndoneRef& undone : refs) {
    Json record;
    set_bytes(record, "ref", undone.ref);
    set_bytes(record, "kept_as", undone.kept_as);
    record["why"] = undone.why;
    record["pending"] = undone.pending;
    list.push_back(std::move(record));
  }
  return list;
}

std::string commits_in_words(const std::vector<BranchWork>& branches) {
  std::vector<std::string> parts;
  for (const BranchWork& work : branches) {
    if (!work.commits.empty()) {
      parts.push_back(fmt::format("{} of {}", count_text(work), shadow::quoted(work.branch)));
    }
  }
  return join(parts, ", ");
}

}  // namespace shadow::cli
