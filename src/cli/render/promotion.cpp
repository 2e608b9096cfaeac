// SPDX-License-Identifier: MIT
#include "cli/render/promotion.hpp"

#include "shadow/status.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/render/item.hpp"
#include "cli/render/not_shown.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace shadow::cli {

namespace {

struct Reason {
  SkipReason because;
  const char* text;
};

constexpr std::array kReasons = {
    Reason{SkipReason::Sensitive, "sensitive, and skipped"},
    Reason{SkipReason::GitDir, "in a git directory; files there are not applied"},
    Reason{SkipReason::NotEmpty, "a directory in which something is left"},
    Reason{SkipReason::Device, "a device node"},
    Reason{SkipReason::Conflict, "in conflict; the project's version stays"},
    Reason{SkipReason::Ignored, "ignored by git; --ignored takes it"},
};

// Borrowed from the promotion.
using Items = std::vector<const ReviewItem*>;

std::string section(const char* title, const Items& items, std::string_view from, bool color) {
  std::string text;
  for (const ReviewItem* one : items) {
    const ReviewItem& item = *one;
    const std::string remark = remarks(item, from);
    text += fmt::format(
        "  {}  {}{}\n",
        painted(paint_of(item.change.kind), std::string{to_letter(item.change.kind)}, color),
        shown_path(item.change, from), remark.empty() ? "" : "  (" + remark + ")");
  }
  return text.empty() ? text : fmt::format("{}:\n{}", title, text);
}

// A new repository is a mass of objects; what was allowed by path in an old one is shown by path.
Items without_git(Items items) {
  std::erase_if(items, [](const ReviewItem* item) { return !new_repository_of(*item).empty(); });
  return items;
}

std::map<std::string, std::size_t> git_dirs_of(const std::vector<ReviewItem>& items) {
  std::map<std::string, std::size_t> dirs;
  for (const ReviewItem& item : items) {
    const std::string dir = new_repository_of(item);
    if (!dir.empty() && item.change.after.kind == EntryKind::File) {
      ++dirs[dir];
    }
  }
  return dirs;
}

// A new repository counts as one, however many objects it has.
std::string applied_in_words(const std::vector<ReviewItem>& taken) {
  return with_repositories(without_git(listable(borrowed(taken))).size(),
                           git_dirs_of(taken).size());
}

// The outcome for a taken path.
enum class Plan : std::uint8_t { Write, Merge, Mark, Overwrite, Delete };

Plan plan_of(const Promotion& promotion, const ReviewItem& item) {
  const bool conflict = item.resolution.verdict == Verdict::Conflict;
  if (item.change.kind == ChangeKind::Deleted) {
    return conflict && item.resolution.partner.empty() ? Plan::Overwrite : Plan::Delete;
  }
  if (promotion.merged.count(item.change.path) != 0) {
    return conflict ? Plan::Mark : Plan::Merge;
  }
  return conflict && item.drift != Drift::None ? Plan::Overwrite : Plan::Write;
}

const char* to_word(Plan plan) {
  switch (plan) {
    case Plan::Write:
    case Plan::Overwrite:
      return "write";
    case Plan::Merge:
    case Plan::Mark:
      return "merge";
    case Plan::Delete:
      break;
  }
  return "delete";
}

// Those that are neither in conflict nor depend on one.
Items planned(const Promotion& promotion) {
  std::set<std::string> conflicts;
  for (const ReviewItem& item : promotion.chosen.conflicts) {
    conflicts.insert(item.change.path);
    conflicts.insert(item.resolution.partner);
  }
  Items items;
  for (const ReviewItem& item : promotion.chosen.taken) {
    if (conflicts.count(item.change.path) == 0 && item.depends_on.empty()) {
      items.push_back(&item);
    }
  }
  return items;
}

Items dependents(const Promotion& promotion) {
  Items items = borrowed(promotion.chosen.taken);
  std::erase_if(items, [](const ReviewItem* item) { return item->depends_on.empty(); });
  return items;
}

Items planned(const Promotion& promotion, Plan plan) {
  Items items = without_git(listable(planned(promotion)));
  std::erase_if(items, [&](const ReviewItem* item) { return plan_of(promotion, *item) != plan; });
  return items;
}

void add_to_plan(JsonText& top, const std::string& path, const char* what, const char* reason) {
  Json record;
  set_bytes(record, "path", path);
  record["plan"] = what;
  if (*reason != '\0') {
    record["reason"] = reason;
  }
  top.add(record);
}

// One word for each path.
void add_plan(JsonText& top, const Promotion& promotion) {
  top.begin_list("plan");
  for (const ReviewItem* item : planned(promotion)) {
    const bool deletion = item->change.kind == ChangeKind::Deleted;
    add_to_plan(top, item->change.path, deletion ? "delete" : to_word(plan_of(promotion, *item)),
                to_sentence(item->resolution.clash));
  }
  for (const ReviewItem& item : promotion.chosen.conflicts) {
    add_to_plan(
        top, item.change.path, "conflict",
        item.resolution.verdict == Verdict::Merge ? "can be merged" : to_sentence(item.resolution));
  }
  for (const ReviewItem* item : dependents(promotion)) {
    const std::string reason = "depends on " + quoted(item->depends_on.str());
    add_to_plan(top, item->change.path, "conflict", reason.c_str());
  }
  for (const ReviewItem& item : promotion.chosen.blocked) {
    add_to_plan(top, item.change.path, "sensitive", item.sensitive.str().c_str());
  }
  for (const SkippedItem& left : promotion.chosen.left) {
    add_to_plan(top, left.item.change.path, to_word(left.because), "");
  }
  top.end_list();
}

// Rights that an apply never gives.
std::string left_out_text(const ChosenChanges& chosen, std::string_view from) {
  std::string text;
  for (const ReviewItem& item : chosen.taken) {
    if (const std::string left = left_out(item.change); !left.empty()) {
      text += fmt::format("  {}: {}\n", shown_path(item.change, from), left);
    }
  }
  return text.empty() ? text : "not brought along:\n" + text;
}

// Told by a review, too; but who says yes at once has seen none.
std::string rights_text(const std::vector<ReviewItem>& taken, std::string_view from) {
  std::string text;
  for (const ReviewItem* item : listable(borrowed(taken))) {
    if (const std::string rights = rights_given(*item); !rights.empty()) {
      text += fmt::format("  {}  ({})\n", shown_path(item->change, from), rights);
    }
  }
  return text.empty() ? text : "others have got rights:\n" + text;
}

std::string narrowed_text(const workspace::Applied& done, std::string_view from) {
  std::string text;
  for (const AppliedPath& path : done.paths) {
    if (path.narrowed) {
      text +=
          fmt::format("  {}  (mode {:o})\n", printable(relative_path(path.path, from)), path.mode);
    }
  }
  return text.empty() ? text
                      : "narrower for the group than in the session (the ACL or the group that the "
                        "rights were for is not there):\n" +
                            text;
}

// Beside what the files of a new repository tell.
std::string histories_text(const Promotion& promotion) {
  std::string text;
  for (const NewHistory& history : promotion.histories) {
    if (const std::string line = not_shown_text(history.not_shown); !line.empty()) {
      text += fmt::format("note: of {}/ {}",
                          printable(relative_path(history.git_dir, promotion.place)), line);
    }
    if (!history.index_fault.empty()) {
      text += fmt::format("note: what is staged in {}/ stays in the session: {}\n",
                          printable(relative_path(history.git_dir, promotion.place)),
                          printable(history.index_fault));
    }
  }
  return text;
}

std::string held_text(const ChosenChanges& chosen, std::string_view from) {
  std::string text;
  for (const auto& [path, why] : chosen.held) {
    text += fmt::format("  {}  ({})\n", printable(relative_path(path, from)), printable(why));
  }
  return text.empty() ? text
                      : "left in the session (of a new git repository; "
                        "--allow-sensitive=PATH takes it):\n" +
                            text;
}

}  // namespace

// Each path of a few; of many (an ignored build directory, a git directory) how many.
std::string left_text(const ChosenChanges& chosen, std::string_view from,
                      const std::vector<ReviewItem>& told) {
  constexpr std::size_t kMostNamed = 10;
  std::set<std::string_view> told_paths;
  for (const ReviewItem& item : told) {
    told_paths.insert(item.change.path);
  }
  std::string text;
  for (const Reason& reason : kReasons) {
    Items items;
    for (const SkippedItem& left : chosen.left) {
      if (left.because == reason.because && !is_shown_as_commits(left) &&
          told_paths.count(left.item.change.path) == 0) {
        items.push_back(&left.item);
      }
    }
    std::vector<std::string> paths;
    if (reason.because == SkipReason::Ignored) {
      for (const IgnoredFold& fold : fold_ignored(items)) {
        const std::string path = printable(relative_path(fold.path, from));
        paths.push_back(path + (fold.directory && !path.ends_with('/') ? "/" : ""));
      }
    } else {
      for (const ReviewItem* item : listable(items)) {
        paths.push_back(shown_path(item->change, from));
      }
    }
    if (paths.empty()) {
      continue;
    }
    text += fmt::format("left in the session ({}):\n", reason.text);
    if (paths.size() > kMostNamed) {
      text += fmt::format("  {}, such as {}\n", plural(paths.size(), "path"), paths.front());
    } else {
      for (const std::string& path : paths) {
        text += "  " + path + "\n";
      }
    }
  }
  text += held_text(chosen, from);
  if (const std::string line = too_deep_text(chosen.too_deep, from); !line.empty()) {
    text += "left in the session: " + line + "\n";
  }
  return text;
}

std::string promotion_text(const Promotion& promotion, bool color) {
  const ChosenChanges& chosen = promotion.chosen;
  const std::string& from = promotion.place;
  std::string text = section("to be written", planned(promotion, Plan::Write), from, color);
  text += section("to be merged", planned(promotion, Plan::Merge), from, color);
  text +=
      section("to be written with conflict markers", planned(promotion, Plan::Mark), from, color);
  text += section("to take the place of the project's version", planned(promotion, Plan::Overwrite),
                  from, color);
  text += section("to be deleted", planned(promotion, Plan::Delete), from, color);
  for (const auto& [dir, files] : git_dirs_of(chosen.taken)) {
    text += fmt::format("to be written of {}/: {}, without hooks and settings\n",
                        printable(relative_path(dir, from)), plural(files, "file"));
  }
  text += section("in conflict", borrowed(chosen.conflicts), from, color);
  text += section("not without what is in conflict", without_git(listable(dependents(promotion))),
                  from, color);
  text += section("sensitive, and not allowed", borrowed(chosen.blocked), from, color);
  return (text.empty() ? "nothing to apply\n" : text) + histories_text(promotion) +
         left_text(chosen, from);
}

std::string promoted_text(const Promotion& promotion, const workspace::Applied& done,
                          const std::vector<ReviewItem>& told) {
  const bool any_ref = std::any_of(done.commits.refs.begin(), done.commits.refs.end(),
                                   [](const MovedRef& moved) { return !moved.ref.empty(); });
  if (done.paths.empty() && any_ref) {
    return (done.commits.apply == 0
                ? std::string{}
                : fmt::format("applied commits; 'shadow undo {}' takes them back\n",
                              done.commits.apply)) +
           left_text(promotion.chosen, promotion.place, told);
  }
  if (done.id == 0) {
    return "nothing to apply\n" + left_text(promotion.chosen, promotion.place, told);
  }
  return fmt::format("applied {}; 'shadow undo {}' takes it back\n",
                     applied_in_words(promotion.chosen.taken), done.id) +
         section("conflict markers are in", planned(promotion, Plan::Mark), promotion.place,
                 false) +
         rights_text(promotion.chosen.taken, promotion.place) +
         left_out_text(promotion.chosen, promotion.place) + narrowed_text(done, promotion.place) +
         histories_text(promotion) + left_text(promotion.chosen, promotion.place, told);
}

JsonText promotion_json(const Promotion& promotion, const workspace::Applied* done) {
  JsonText top;
  if (done != nullptr) {
    top.set("apply", done->id == 0 ? Json{} : Json(done->id));  // nothing to do is no apply
    top.begin_list("narrowed");
    for (const AppliedPath& path : done->paths) {
      if (path.narrowed) {
        Json record;
        set_bytes(record, "path", path.path);
        record["mode"] = fmt::format("{:04o}", path.mode);
        top.add(record);
      }
    }
    top.end_list();
  }
  top.list("steps", promotion.plan.steps, [](const Step& step) {
    Json record;
    set_bytes(record, "path", step.path);
    record["action"] = to_word(step.action);
    return record;
  });
  add_plan(top, promotion);
  top.list("conflicts", promotion.chosen.conflicts,
           [](const ReviewItem& item) { return to_json(item); });
  top.list("sensitive", promotion.chosen.blocked,
           [](const ReviewItem& item) { return to_json(item); });
  top.list("left", promotion.chosen.left, [](const SkippedItem& left) {
    Json record;
    set_bytes(record, "path", left.item.change.path);
    record["because"] = to_word(left.because);
    return record;
  });
  top.set("too_deep", too_deep_json(promotion.chosen.too_deep));
  return top;
}

}  // namespace shadow::cli
