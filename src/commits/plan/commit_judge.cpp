// SPDX-License-Identifier: MIT
#include "commits/plan/commit_judge.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "commits/plan/branch_leads.hpp"
#include "commits/plan/passed_versions.hpp"
#include "git/commits/index_edit.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/read/view.hpp"
#include "policy/config_file.hpp"
#include "sensitive/repositories/git_lookalike.hpp"
#include "sensitive/walk/link_walk.hpp"
#include "sys/files/beneath.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include <sys/stat.h>

namespace shadow::commits {

namespace {

using State = BranchWork::State;

// Stands for a text too long to be read, for which the worst is assumed: filters, plugins and
// hooks.
constexpr const char* kWorstText = "* filter=x\n[mypy]\nplugins = husky\nimport: x\n";
constexpr std::size_t kMostElsewhere = 100;  // trees of commits that are read for their leads
constexpr const char* kHeadText = "ref: refs/";

EntryKind kind_of(unsigned mode) {
  return mode == 0                  ? EntryKind::Absent
         : mode == git::kLinkMode   ? EntryKind::Symlink
         : mode == git::kModuleMode ? EntryKind::Directory
                                    : EntryKind::File;
}

Change change_of(const git::CommitChange& change, const std::string& work_tree) {
  Change result;
  result.path = work_tree + change.row.path;
  result.before.kind = kind_of(change.row.before_mode);
  result.after.kind = kind_of(change.row.after_mode);
  if (result.after.kind == EntryKind::Symlink) {
    result.after.target = change.text.value_or("/");  // of what is too long the worst is assumed
  }
  return result;
}

bool can_be_read(const BranchWork& work) {
  return work.state != State::Deleted && work.state != State::Unreadable && !work.view_id.empty();
}

std::string last_name(const std::string& ref) {
  const std::size_t second = ref.find('/', ref.find('/') + 1);
  return second == std::string::npos ? std::string{} : ref.substr(second + 1);
}

std::map<std::string, git::CommitChanges> read_changes(const SessionGit& git,
                                                       const std::vector<BranchWork>& rows) {
  const git::Refs real = git::read_refs(git::disk_reader(git.real.dir));
  std::vector<git::CommitTip> tips;
  std::vector<std::string> refs;
  for (const BranchWork& work : rows) {
    if (can_be_read(work)) {
      const bool is_commit = work.ref.starts_with(git::kHeads) && !work.real_id.empty();
      tips.push_back(
          {work.view_id, is_commit ? work.real_id : real.head, real.head, last_name(work.ref)});
      refs.push_back(work.ref);
    }
  }
  std::map<std::string, git::CommitChanges> by_ref;
  if (tips.empty()) {
    return by_ref;
  }
  std::vector<git::CommitChanges> all = git::commit_changes(git.dirs, tips);
  for (std::size_t i = 0; i < refs.size(); ++i) {
    by_ref.emplace(refs[i], std::move(all[i]));
  }
  return by_ref;
}

// All the changes as those of a work tree: what makes a git directory may come with several refs. A
// path that git would not have made is none in a work tree, and must not lead out of it.
std::vector<Change> all_changes(const std::map<std::string, git::CommitChanges>& by_ref,
                                const std::string& work_tree) {
  std::vector<Change> changes;
  for (const auto& [ref, one] : by_ref) {
    for (const git::CommitChange& change : one.changes) {
      if (sys::is_plain_relative(change.row.path)) {
        changes.push_back(change_of(change, work_tree));
      }
    }
  }
  return changes;
}

std::vector<std::string> patterns_of(const session::ReviewSession& session) {
  return policy::load_config({sys::environment("HOME").value_or(""), session.state.path(),
                              session.project.root, session.project.cwd})
      .sensitive;
}

std::string without_returns(std::string text) {
  for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at)) {
    text.erase(at, 1);
  }
  return text;
}

bool is_at_tip(const git::CommitChange& change) {
  return change.net && change.row.after_mode == change.tip_mode &&
         change.row.after_id == change.tip_id;
}

bool is_ascii(std::string_view text) {
  constexpr unsigned char kLast = 0x7f;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) <= kLast; });
}

}  // namespace

ShownEntries shown_entries(const std::vector<ReviewItem>& items, changes::IgnoredItems ignored) {
  ShownEntries shown;
  for (const ReviewItem& item : items) {
    if (item.standing != Standing::GitDir && item.resolution.verdict != Verdict::Nothing &&
        (ignored == changes::IgnoredItems::Include || item.standing != Standing::Ignored)) {
      shown.emplace(item.change.path, &item.change.after);
    }
  }
  return shown;
}

CommitJudge::CommitJudge(const session::ReviewSession& session, const SessionGit& git,
                         const std::vector<BranchWork>& rows)
    : session_{session},
      git_{git},
      work_tree_{git.work_tree},
      is_new_{!git::disk_reader(git.real.dir).read("HEAD")},
      by_ref_{read_changes(git, rows)},
      places_{[&] {
        sensitive::SensitivePlaces places = changes::places_of_session(
            session, all_changes(by_ref_, work_tree_), patterns_of(session));
        places.read = [this](const std::string&) { return std::optional{current_text_}; };
        places.ignored = [](const std::string&) { return false; };  // it is in a commit
        return places;
      }()},
      rules_{places_} {
}

std::string CommitJudge::fault_of(const std::string& ref, const CommitChoice& choice) {
  const auto found = by_ref_.find(ref);
  if (found == by_ref_.end()) {
    return "it cannot be read";
  }
  if (!found->second.fault.empty()) {
    return found->second.fault;
  }
  if (!crossed_) {
    look_for_crossed_links(choice.shown);
  }
  sensitive::SensitiveRules* rules = choice.allow_sensitive ? &rules_ : find_rules(found->second);
  if (rules == nullptr) {
    return "what the files of the branch name cannot be read";
  }
  for (const git::CommitChange& change : found->second.changes) {
    const std::string& path = change.row.path;
    const std::string whole = work_tree_ + path;
    const bool allowed =
        choice.allow_sensitive ||
        std::any_of(choice.sensitive_paths.begin(), choice.sensitive_paths.end(),
                    [&whole](const std::string& above) { return is_at_or_below(whole, above); });
    if (allowed) {
      continue;
    }
    if (!sys::is_plain_relative(path)) {
      return "it has a file at " + quoted(path);
    }
    if (const std::string why = reason_of(change, *rules); !why.empty()) {
      return fmt::format("{} is sensitive ({})", quoted(whole), why);
    }
  }
  return {};
}

std::string CommitJudge::fault_of_place(const CommitChoice& choice) const {
  // Also of a repository without commits.
  Change made;
  made.path = work_tree_ + ".git";
  const sensitive::SensitiveRules rules{
      changes::places_of_session(session_, {made}, patterns_of(session_))};
  const auto awaited = rules.awaits_repository(work_tree_);
  const bool stops =
      awaited && !choice.allow_sensitive &&
      std::none_of(choice.sensitive_paths.begin(), choice.sensitive_paths.end(),
                   [&](const std::string& above) { return is_at_or_below(awaited->path, above); });
  return stops ? fmt::format("with it {} would be sensitive ({})", quoted(awaited->path),
                             awaited->reason)
               : std::string{};
}

// Files of the branch itself lead to others, where the work tree has none.
sensitive::SensitiveRules* CommitJudge::find_rules(const git::CommitChanges& changes) {
  if (changes.elsewhere.empty()) {
    return &rules_;
  }
  const auto known = rules_elsewhere_.find(changes.elsewhere);
  if (known != rules_elsewhere_.end()) {
    return known->second ? &*known->second : nullptr;
  }
  if (rules_elsewhere_.size() >= kMostElsewhere) {
    return nullptr;
  }
  auto& rules = rules_elsewhere_[changes.elsewhere];
  if (auto leads = leads_in_commit(git_.dirs, changes.elsewhere, places_)) {
    sensitive::SensitivePlaces places = places_;
    for (sensitive::NamedPath& one : *leads) {
      one.path = work_tree_ + one.path;
      places.named.push_back(std::move(one));
    }
    rules.emplace(std::move(places));
  }
  return rules ? &*rules : nullptr;
}

std::string CommitJudge::reason_of(const git::CommitChange& change,
                                   sensitive::SensitiveRules& rules) {
  if (change.row.after_mode == git::kModuleMode) {
    return "another commit of a sub-module";  // what that brings is in no tree here
  }
  const Change one = change_of(change, work_tree_);
  current_text_ = change.text.value_or(kWorstText);
  if (sensitive::is_named_head(one.path) && !is_ascii(current_text_)) {
    current_text_ = kHeadText;  // git may write it in another encoding (gitattributes(5))
  }
  std::string why = rules.reason_of(one);
  if (!why.empty()) {
    return why;
  }
  if (change.in_git_dir) {
    return "part of a git repository";
  }
  if (one.after.kind != EntryKind::Symlink) {
    return {};
  }
  // What else lies in its commit's tree, and in those that will be checked out with it, is not
  // known here. A target that only goes up and then down stays inside of the project in any.
  if (sensitive::turns_back(one.after.target.str())) {
    return "a symlink that goes down and up again, which other links can lead out of the project";
  }
  const auto crossed = crossed_->find(one.path);
  return crossed == crossed_->end() ? std::string{} : crossed->second;
}

// A link of the work tree that goes down and up again was judged by what is there now.
void CommitJudge::look_for_crossed_links(const ShownEntries& shown) {
  crossed_.emplace();
  std::set<std::string, std::less<>> links;
  for (const auto& [ref, one] : by_ref_) {
    for (const git::CommitChange& change : one.changes) {
      if (change.row.after_mode == git::kLinkMode) {
        links.insert(work_tree_ + change.row.path);
      }
    }
  }
  if (links.empty()) {
    return;
  }
  const overlay::View view{session_.upper.get(), session_.lower.get()};
  for (const auto& [path, entry] : shown) {
    if (entry->kind != EntryKind::Symlink || !sensitive::turns_back(entry->target.str())) {
      continue;
    }
    const auto look = [&, &link = path](const std::string& on_the_way) {
      if (links.count(on_the_way) != 0) {
        crossed_->try_emplace(on_the_way, "with it the link " + quoted(link) + " leads elsewhere");
      }
      return view.look(on_the_way);
    };
    (void)sensitive::walk_link(std::string{sys::split_path(path).parent}, entry->target.str(),
                               session_.project.root, look);
  }
}

bool CommitJudge::abbreviates(const std::string& ref) const {
  const auto found = by_ref_.find(ref);
  return found != by_ref_.end() && found->second.abbreviates;
}

bool CommitJudge::view_has(const std::string& path, unsigned mode, const std::string& id) const {
  return has({session_.upper.get(), session_.lower.get()}, path, mode, id);
}

bool CommitJudge::project_has(const std::string& path, unsigned mode, const std::string& id) const {
  return has({-1, session_.lower.get()}, path, mode, id);
}

bool CommitJudge::has(const overlay::View& view, const std::string& path, unsigned mode,
                      const std::string& id) const {
  constexpr std::uint64_t kMostText = std::uint64_t{64} << 20U;
  const std::string whole = work_tree_ + path;
  const Entry entry = view.look(whole);
  if (mode == 0) {
    return !entry.exists() || entry.kind == EntryKind::Directory;
  }
  if (entry.kind != kind_of(mode)) {
    return false;
  }
  if (entry.kind == EntryKind::Symlink) {
    return git::blob_id(entry.target.str()) == id;
  }
  if (entry.kind != EntryKind::File) {
    return true;  // a sub-module's commit is no content
  }
  if (((entry.mode & S_IXUSR) != 0) != (mode == git::kExecutableMode)) {
    return false;
  }
  try {
    const auto text = view.read(whole, kMostText);
    return text && (git::blob_id(*text) == id || git::blob_id(without_returns(*text)) == id);
  } catch (const Error&) {
    return false;
  }
}

const git::CommitChanges* CommitJudge::changes_of(const std::string& ref) const {
  const auto found = by_ref_.find(ref);
  return found == by_ref_.end() ? nullptr : &found->second;
}

// What the project has by a commit of its own is no news. An older version than the last one is in
// the history alone, and so is what the user had in the work tree without a commit, though the view
// has it too: a new repository is made of that. Of a file that was away meanwhile nothing is
// hidden.
bool CommitJudge::is_shown(const git::CommitChange& change, const ShownEntries& shown) const {
  const git::TreeDifference& row = change.row;
  if (change.inherited || change.known ||
      (row.after_mode == 0 && !(change.net && change.tip_mode == 0))) {
    return true;
  }
  return row.after_mode != git::kModuleMode &&
         (is_new_ || shown.count(work_tree_ + row.path) != 0) &&
         view_has(row.path, row.after_mode, row.after_id);
}

std::vector<std::string> CommitJudge::not_shown(const ShownEntries& shown,
                                                const std::set<std::string>& without) const {
  std::vector<const git::CommitChange*> unlike;
  std::vector<const git::CommitChange*> may_be_passed;
  const std::string viewed = git::read_refs(git_.dirs.view).head_ref;
  for (const auto& [ref, one] : by_ref_) {
    if ((!ref.starts_with(git::kHeads) && !ref.starts_with(git::kTags)) ||
        without.count(ref) != 0) {
      continue;
    }
    for (const git::CommitChange& change : one.changes) {
      if (is_shown(change, shown)) {
        continue;
      }
      unlike.push_back(&change);
      // What another branch ends with is not on the way to anything.
      if ((ref == viewed || !is_at_tip(change)) &&
          (is_new_ || shown.count(work_tree_ + change.row.path) != 0)) {
        may_be_passed.push_back(&change);
      }
    }
  }
  const auto passed = passed_versions(session_, git_, work_tree_, may_be_passed);
  std::set<std::string> paths;
  for (const git::CommitChange* change : unlike) {
    if (passed.count(change) == 0) {
      paths.insert(work_tree_ + change->row.path);
    }
  }
  return {paths.begin(), paths.end()};
}

}  // namespace shadow::commits
