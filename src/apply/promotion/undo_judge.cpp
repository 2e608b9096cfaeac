// SPDX-License-Identifier: MIT
#include "apply/promotion/undo_judge.hpp"

#include "changes/trees/tree_rules.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "promote/journal/history.hpp"
#include "promote/journal/journal.hpp"
#include "promote/journal/lifecycle.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "sensitive/sensitive.hpp"
#include "session/project/git_dir.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"
#include "store/tables/applies.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>

namespace shadow::apply {

namespace {

constexpr std::uint64_t kMostTextGivenBack = 1U << 20U;

// The project as it will be: what the steps leave, and elsewhere what is there.
class Outcome {
 public:
  Outcome(const ApplySite& site, const ApplyPlan& plan)
      : project_{sys::open_path(site.project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)},
        blobs_{site.state},
        pre_images_{site.state} {
    for (const Step& step : plan.steps) {
      steps_.try_emplace(step.path, Steps{&step, &step}).first->second.last = &step;
    }
  }

  [[nodiscard]] int project() const { return project_.get(); }
  [[nodiscard]] bool writes(const std::string& path) const { return steps_.contains(path); }

  [[nodiscard]] Entry look(const std::string& path) const {
    for (std::size_t end = path.find('/'); end != std::string::npos;
         end = path.find('/', end + 1)) {
      const auto above = steps_.find(std::string_view{path}.substr(0, end));
      if (above != steps_.end() && above->second.last->after.kind != EntryKind::Directory) {
        return {};
      }
    }
    const auto step = steps_.find(path);
    return step != steps_.end() ? step->second.last->after : overlay::look_beneath(project(), path);
  }

  [[nodiscard]] std::optional<std::string> read(const std::string& path) const {
    if (look(path).kind != EntryKind::File) {
      return std::nullopt;
    }
    const auto step = steps_.find(path);
    if (step == steps_.end() || step->second.last->action == Action::SetAttributes) {
      return overlay::View{-1, project()}.read(path, kMostTextGivenBack);
    }
    const Step& of = *step->second.last;
    const sys::Fd file = of.pre_image ? pre_images_.open(of.pre_image->apply, of.pre_image->ord)
                                      : blobs_.open(of.blob);
    return file ? std::optional{sys::read_all(file.get(), kMostTextGivenBack)} : std::nullopt;
  }

  // One for each path, sorted.
  [[nodiscard]] std::vector<Change> changes() const {
    std::vector<Change> changes;
    changes.reserve(steps_.size());
    for (const auto& [path, steps] : steps_) {
      Change change;
      change.path = path;
      change.before = steps.first->before;
      change.after = steps.last->after;
      change.kind = !change.after.exists()    ? ChangeKind::Deleted
                    : !change.before.exists() ? ChangeKind::Added
                                              : ChangeKind::Modified;
      change.content_changed = steps.last->action != Action::SetAttributes;
      changes.push_back(std::move(change));
    }
    return changes;
  }

 private:
  sys::Fd project_;
  store::Blobs blobs_;
  store::PreImages pre_images_;
  // Of one path, by that of the plan.
  struct Steps {
    const Step* first;
    const Step* last;
  };
  std::map<std::string_view, Steps> steps_;
};

// The applies that a record takes back or writes again: itself, what it took back, and so on.
std::set<std::int64_t> chain_of(const ApplySite& site, std::optional<std::int64_t> id) {
  std::set<std::int64_t> chain;
  while (id && chain.insert(*id).second) {
    const auto row = store::find_apply(site.database, *id);
    id = row ? row->undoes : std::nullopt;
  }
  return chain;
}

// True of an apply, and of an undo that writes one again.
bool brings(const ApplySite& site, const store::ApplyRow& row) {
  return chain_of(site, row.id).size() % 2 == 1;
}

// The paths at which the project has, or had, what other applies brought. Whoever edits such a file
// does not make it his own by that.
std::set<std::string> brought(const ApplySite& site, const std::set<std::int64_t>& but) {
  std::set<std::string> paths;
  for (const store::ApplyRow& row : store::applies_of_project(site.database, site.project)) {
    if (!promote::is_written(row.state) || but.contains(row.id) || !brings(site, row)) {
      continue;
    }
    const bool undone = row.state == store::ApplyState::Undone;
    const std::set<std::string> left =
        undone ? promote::left_by_undos(site, row.id) : std::set<std::string>{};
    store::each_step(site.database, row.id, store::StepOrder::Forward, [&](promote::Row& step) {
      const auto operation = promote::operation_of(step);
      const bool put =
          operation == promote::Operation::Put || operation == promote::Operation::MakeDirectory;
      if (put && (!undone || left.contains(step.path))) {
        paths.insert(std::move(step.path));
      }
    });
  }
  return paths;
}

// Of a repository that came with an apply, which judged its history: what git itself makes there.
bool is_of_new_repository(const Change& change, const Outcome& outcome) {
  const auto dir = session::git_dir_of(change.path);
  if (!dir || !sensitive::belongs_to_new_git_dir(change)) {
    return false;
  }
  if (change.path != *dir + "/config") {
    return true;
  }
  const auto text = outcome.read(change.path);
  return text && *text == sensitive::reduced_git_config(*text);
}

// Files that an agent brought and that stay as they are, as if they came with the undo.
std::vector<Change> standing(const Outcome& outcome, const std::set<std::string>& paths) {
  std::vector<Change> changes;
  for (const std::string& path : paths) {
    Change change;
    change.path = path;
    change.kind = ChangeKind::Added;
    change.after = outcome.writes(path) ? Entry{} : outcome.look(path);
    if (change.after.exists()) {
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

class UndoJudge {
 public:
  UndoJudge(const ApplySite& site, const UndoPlan& undo, const std::vector<std::string>& patterns)
      : site_{site}, undo_{undo}, patterns_{patterns}, outcome_{site, undo.plan} {}

  std::vector<ReviewItem> judge() {
    const std::vector<Change> changes = outcome_.changes();
    if (changes.empty()) {
      return {};
    }
    if (undo_.of.takes_out) {
      judge_again(changes);
    } else {
      judge_given_back(changes);
    }
    return std::move(blocked_);
  }

 private:
  [[nodiscard]] sensitive::SensitivePlaces after(const std::vector<Change>& changes,
                                                 changes::Arrival arrival) const {
    return changes::places_of(
        {site_.project, outcome_.project(),
         [this](const std::string& path) { return outcome_.look(path); },
         [this](const std::string& path) { return outcome_.read(path); }, arrival},
        changes, patterns_);
  }

  [[nodiscard]] sensitive::SensitivePlaces now(const std::vector<Change>& changes) const {
    const overlay::View project{-1, outcome_.project()};
    return changes::places_of(
        {site_.project, outcome_.project(),
         [project](const std::string& path) { return project.look(path); },
         [project](const std::string& path) { return project.read(path, kMostTextGivenBack); },
         changes::Arrival::AtOnce},
        changes, patterns_);
  }

  void add(const Change& change, std::string reason) {
    if (!reason.empty()) {
      ReviewItem& item = blocked_.emplace_back();
      item.change = change;
      item.sensitive = std::move(reason);
    }
  }

  // As an apply, with all that it wrote.
  void judge_again(const std::vector<Change>& changes) {
    sensitive::SensitiveRules rules{after(changes, changes::Arrival::InParts)};
    for (const Change& change : changes) {
      add(change, is_of_new_repository(change, outcome_) ? "" : rules.reason_of(change));
    }
  }

  void judge_given_back(const std::vector<Change>& changes) {
    const std::set<std::string> paths = brought(site_, chain_of(site_, undo_.of.id));
    const std::vector<Change> others = standing(outcome_, paths);
    std::vector<Change> all;
    if (!others.empty()) {
      all = changes;
      all.insert(all.end(), others.begin(), others.end());
    }
    sensitive::SensitivePlaces places =
        after(others.empty() ? changes : all, changes::Arrival::AtOnce);
    sensitive::SensitiveRules own{without(places, paths)};
    sensitive::SensitiveRules rules{std::move(places)};
    for (const Change& change : changes) {
      if (!change.after.exists() || is_of_new_repository(change, outcome_)) {
        continue;
      }
      if (paths.contains(change.path)) {
        add(change, rules.reason_in_tree(change));
      } else if (change.after.kind == EntryKind::Symlink && own.reason_of_link(change).empty()) {
        add(change, rules.reason_of_link(change));
      }
    }
    if (others.empty()) {
      return;
    }
    sensitive::SensitiveRules before{now(others)};
    for (const Change& change : others) {
      const std::string reason = rules.reason_in_tree(change);
      if (!reason.empty() && before.reason_in_tree(change).empty()) {
        add(change, reason + ", once this is taken back");
      }
    }
  }

  // The tree without the links that an agent brought.
  static sensitive::SensitivePlaces without(const sensitive::SensitivePlaces& places,
                                            const std::set<std::string>& paths) {
    sensitive::SensitivePlaces found;
    found.root = places.root;
    found.in_view = [look = places.in_view, &paths](const std::string& path) {
      Entry entry = look(path);
      return entry.kind == EntryKind::Symlink && paths.contains(path) ? Entry{} : entry;
    };
    found.in_project = found.in_view;
    return found;
  }

  const ApplySite& site_;
  const UndoPlan& undo_;
  const std::vector<std::string>& patterns_;
  Outcome outcome_;
  std::vector<ReviewItem> blocked_;
};

}  // namespace

std::vector<ReviewItem> judge_undo(const ApplySite& site, const UndoPlan& undo,
                                   const std::vector<std::string>& patterns) {
  return UndoJudge{site, undo, patterns}.judge();
}

}  // namespace shadow::apply
