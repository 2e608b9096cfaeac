// SPDX-License-Identifier: MIT
#include "shadow/apply.hpp"
#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "promote/journal/history.hpp"
#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"
#include "promote/plan/used_repositories.hpp"
#include "promote/write/execute.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace shadow {
namespace promote {
namespace {

// Goes through a journal from its end and finds the steps that take it back, with the tree as it
// will be by then in mind.
class Reversal {
 public:
  Reversal(const ApplySite& site, std::int64_t apply, const MovedFrom& moved_from,
           std::vector<Kept>& kept)
      : tree_{site.project},
        blobs_{site.state},
        pre_images_{site.state},
        apply_{apply},
        moved_from_{moved_from},
        kept_{kept} {
    steps_.reserve(store::count_steps(site.database, apply));  // where they are they stay
  }

  void take_back(const Row& row);
  [[nodiscard]] std::vector<Step> steps() && { return std::move(steps_); }

 private:
  [[nodiscard]] EntryKind kind_by_then(const std::string& path);
  [[nodiscard]] bool parent_there(const std::string& path);
  [[nodiscard]] bool same_as_written(const Row& row, const Entry& now);
  [[nodiscard]] bool has_content(const Row& row);
  [[nodiscard]] bool can_restore(const Row& row);
  [[nodiscard]] bool nothing_stays_in(const std::string& path);
  void take_back_put(const Row& row);
  void take_back_deletion(const Row& row);
  void take_back_directory(const Row& row);
  void take_back_attributes(const Row& row);
  void restore(const Row& row, const Entry& now);
  void add(const Row& row, Action action, const Entry& before);
  void keep(const Row& row, std::string reason) { kept_.push_back({row.path, std::move(reason)}); }

  Tree tree_;
  store::Blobs blobs_;
  store::PreImages pre_images_;
  std::int64_t apply_;
  const MovedFrom& moved_from_;
  std::vector<Kept>& kept_;
  std::vector<Step> steps_;
  std::unordered_map<std::string_view, EntryKind> by_then_;  // by the paths of the steps
};

EntryKind Reversal::kind_by_then(const std::string& path) {
  const auto found = by_then_.find(path);
  return found != by_then_.end() ? found->second : tree_.look(path).kind;
}

bool Reversal::parent_there(const std::string& path) {
  const std::string parent{sys::split_path(path).parent};
  return parent.empty() || kind_by_then(parent) == EntryKind::Directory;
}

bool Reversal::same_as_written(const Row& row, const Entry& now) {
  if (now.kind != row.after.kind) {
    return false;
  }
  if (now.kind == EntryKind::Symlink) {
    return now.target == row.after.target;
  }
  if (now.mode != row.after.mode) {
    return false;
  }
  if (now.kind != EntryKind::File) {
    return true;
  }
  if (row.after_hash.empty()) {
    return is_staged(now, row);
  }
  // By content: an edit in place may have set the time back.
  return tree_.content_hash(row.path) == row.after_hash;
}

bool Reversal::has_content(const Row& row) {
  if (!row.before_blob.empty() && blobs_.has(row.before_blob)) {
    return true;
  }
  const sys::Fd fd = pre_images_.open(apply_, row.ord);
  if (!fd) {
    keep(row, "its earlier content is not kept any more");
    return false;
  }
  // By a process that had it open already.
  const Entry now = overlay::look_fd(fd.get());
  if (now.size != row.before.size || now.mtime_ns != row.before.mtime_ns) {
    keep(row, "its earlier content was written to after the apply, and is at " +
                  quoted(pre_images_.path_of(apply_, row.ord)));
    return false;
  }
  return true;
}

bool Reversal::can_restore(const Row& row) {
  if (row.before.kind == EntryKind::Device) {
    keep(row, "it was a device node");
    return false;
  }
  if (row.before.kind == EntryKind::File && !has_content(row)) {
    return false;
  }
  if (!parent_there(row.path)) {
    keep(row, "its directory is gone");
    return false;
  }
  return true;
}

void Reversal::add(const Row& row, Action action, const Entry& before) {
  Step step;
  step.path = row.path;
  step.action = action;
  step.before = before;
  if (action != Action::Delete && action != Action::RemoveDirectory) {
    step.after = row.before;
    step.after.ino = 0;
    step.blob = row.before_blob;
    if (action == Action::Write && row.before_blob.empty()) {
      step.pre_image = PreImage{apply_, row.ord};
    }
    step.xattrs = row.before_xattrs;  // also none: those of now go
    step.restores = true;
  }
  const EntryKind kind = step.after.kind;
  steps_.push_back(std::move(step));
  by_then_.insert_or_assign(steps_.back().path, kind);
}

// Puts back what the row found, over `now`.
void Reversal::restore(const Row& row, const Entry& now) {
  switch (row.before.kind) {
    case EntryKind::Directory:
      add(row, Action::MakeDirectory, now);
      break;
    case EntryKind::File:
      add(row, Action::Write, now);
      break;
    default:
      add(row, Action::WriteLink, now);
      break;
  }
}

void Reversal::take_back_put(const Row& row) {
  const Entry now = tree_.look(row.path);
  if (!same_as_written(row, now)) {
    keep(row, now.exists() ? "it was changed after the apply" : "it was deleted after the apply");
    return;
  }
  if (const auto moved = moved_from_.find(row.path); moved != moved_from_.end()) {
    keep(row, "it was moved from " + quoted(moved->second) + ", which cannot come back");
  } else if (!row.before.exists()) {
    add(row, Action::Delete, now);
  } else if (can_restore(row)) {
    restore(row, now);
  }
}

void Reversal::take_back_deletion(const Row& row) {
  if (kind_by_then(row.path) != EntryKind::Absent) {
    const bool is_there =
        row.before.kind == EntryKind::Directory && kind_by_then(row.path) == EntryKind::Directory;
    if (!is_there) {
      keep(row, "something is there again");
    }
    return;
  }
  if (can_restore(row)) {
    restore(row, Entry{});
  }
}

bool Reversal::nothing_stays_in(const std::string& path) {
  const sys::Fd dir = sys::open_beneath(tree_.root(), path, O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : sys::list_dir(dir.get())) {
    const auto found = by_then_.find(sys::join_path(path, entry.name));
    if (found == by_then_.end() || found->second != EntryKind::Absent) {
      return false;
    }
  }
  return true;
}

void Reversal::take_back_directory(const Row& row) {
  const Entry now = tree_.look(row.path);
  if (now.kind != EntryKind::Directory) {
    return;  // somebody has removed it, or it is something else by now, which is not ours
  }
  if (!nothing_stays_in(row.path)) {
    keep(row, "something is in it that stays");
    return;
  }
  add(row, Action::RemoveDirectory, now);
}

void Reversal::take_back_attributes(const Row& row) {
  const Entry now = tree_.look(row.path);
  if (now.kind != row.after.kind || now.mode != row.after.mode) {
    keep(row, "its attributes were changed after the apply");
    return;
  }
  add(row, Action::SetAttributes, now);
}

void Reversal::take_back(const Row& row) {
  switch (operation_of(row)) {
    case Operation::Put:
      take_back_put(row);
      break;
    case Operation::Delete:
    case Operation::RemoveDirectory:
      take_back_deletion(row);
      break;
    case Operation::MakeDirectory:
      take_back_directory(row);
      break;
    case Operation::SetAttributes:
      take_back_attributes(row);
      break;
    case Operation::Relax:
      break;
  }
}

bool is_in(const std::set<std::string>& directories, const std::string& path) {
  return std::any_of(directories.begin(), directories.end(), [&path](const std::string& directory) {
    return is_at_or_below(path, directory);
  });
}

}  // namespace
}  // namespace promote

UndoPlan plan_undo(const ApplySite& site, const ApplyRecord& of, const FindMoved& find_moved) {
  const promote::EachRow rows = [&](store::StepOrder order,
                                    const std::function<void(promote::Row&)>& look) {
    store::each_step(site.database, of.id, order, look);
  };
  const std::set<std::string> rest =
      of.undone ? promote::left_by_undos(site, of.id) : std::set<std::string>{};
  std::set<std::string> kept;
  const promote::Tree tree{site.project};
  const std::set<std::string> used = promote::used_git_dirs(tree, rows);
  MovedFrom moved_from;
  for (;;) {
    UndoPlan undo;
    undo.of = of;
    promote::Reversal reversal{site, of.id, moved_from, undo.kept};
    rows(store::StepOrder::Backward, [&](const promote::Row& row) {
      if ((!of.undone || rest.count(row.path) != 0) && !promote::is_in(used, row.path)) {
        reversal.take_back(row);
      }
    });
    for (const std::string& git_dir : used) {
      undo.kept.push_back({git_dir, "somebody has worked in that repository since"});
    }
    // A file that stays at its new name may be in the way of others.
    const std::size_t known = kept.size();
    for (const Kept& one : undo.kept) {
      kept.insert(one.path);
    }
    if (kept.size() == known) {
      undo.plan.steps = std::move(reversal).steps();
      order_steps(undo.plan.steps);
      return undo;
    }
    moved_from = find_moved(kept);
  }
}

ApplyResult execute_undo(const ApplySite& site, const UndoPlan& undo, RecordOutcome record) {
  ApplyRequest request;
  request.session = undo.of.session;
  request.record = std::move(record);
  return promote::execute_as(site, undo.plan, request, undo.of.id);
}

std::int64_t forget_applies_before(store::Database& database, std::int64_t time_ns) {
  return store::delete_applies_before(database, time_ns);
}

}  // namespace shadow
