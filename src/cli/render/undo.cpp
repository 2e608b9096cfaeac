// SPDX-License-Identifier: MIT
#include "cli/render/undo.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace shadow::cli {

namespace {

std::string name_of(const ApplyRecord& record) {
  return fmt::format("{} {}", record.is_undo ? "undo" : "apply", record.id);
}

// Borrowed from the plan.
using Kinds = std::map<std::string_view, ChangeKind>;

// The change of each path of the project; a path whose type changes has two steps.
Kinds changes_of(const ApplyPlan& plan) {
  Kinds kinds;
  for (const Step& step : plan.steps) {
    const auto [at, first] = kinds.try_emplace(step.path);
    const bool before = first ? step.before.exists() : at->second != ChangeKind::Added;
    at->second = !step.after.exists() ? ChangeKind::Deleted
                 : before             ? ChangeKind::Modified
                                      : ChangeKind::Added;
  }
  return kinds;
}

// Whether the step makes or removes a repository, "sub/.git".
bool is_of_repository(const Step& step) {
  return (step.action == Action::MakeDirectory || step.action == Action::RemoveDirectory) &&
         (step.path == ".git" || step.path.ends_with("/.git"));
}

struct Listed {
  Kinds changes;
  std::map<std::string, ChangeKind> repositories;  // that come or go as a whole
};

// As an apply lists and counts them: a directory that is made or removed is shown by what is in it,
// a repository by itself.
Listed listed_changes_of(const ApplyPlan& plan) {
  Listed listed{changes_of(plan), {}};
  auto& kinds = listed.changes;
  for (const Step& step : plan.steps) {
    if (is_of_repository(step) && kinds.contains(step.path)) {
      listed.repositories.emplace(step.path + "/", kinds.at(step.path));
      kinds.erase(kinds.lower_bound(step.path + "/"), kinds.lower_bound(step.path + "0"));
      kinds.erase(step.path);
    }
  }
  for (const Step& step : plan.steps) {
    if (step.action == Action::MakeDirectory || step.action == Action::RemoveDirectory) {
      const auto found = kinds.find(step.path);
      const bool leads_on = [&] {
        const std::string inside = step.path + "/";
        const auto below = kinds.lower_bound(inside);
        const auto inner = listed.repositories.lower_bound(inside);
        return (below != kinds.end() && below->first.starts_with(inside)) ||
               (inner != listed.repositories.end() && inner->first.starts_with(inside));
      }();
      if (found != kinds.end() && found->second != ChangeKind::Modified && leads_on) {
        kinds.erase(found);
      }
    }
  }
  return listed;
}

std::string kept_text(const UndoPlan& undo, std::string_view from) {
  std::string text;
  for (const Kept& kept : undo.kept) {
    text += fmt::format("left as it is: {} ({})\n", printable(relative_path(kept.path, from)),
                        printable(kept.reason));
  }
  return text;
}

std::string session_text(const UndoPlan& undo, const UndoOutcome& outcome, std::string_view from) {
  const GivenBack& session = outcome.session;
  if (undo.of.takes_out || outcome.result.id == 0) {
    return {};
  }
  if (session.gone) {
    return fmt::format("the session of {} is gone; 'shadow undo {}' writes the changes again\n",
                       shadow::quoted(undo.of.agent), outcome.result.id);
  }
  std::string text;
  if (session.pending > 0) {
    text += fmt::format("changes of the session of {} again\n", shadow::quoted(undo.of.agent));
  }
  if (session.later > 0) {
    text += fmt::format("{} will be changes of the session of {} again when its runs have ended\n",
                        plural(session.later, "path"), shadow::quoted(undo.of.agent));
  }
  for (const std::string& path : session.newer) {
    text += fmt::format("newer in the session, which keeps it: {}\n",
                        printable(relative_path(path, from)));
  }
  return text;
}

}  // namespace

std::string applies_text(const std::vector<ApplyRecord>& records) {
  std::string text;
  for (const ApplyRecord& record : records) {
    text += fmt::format("{:>5}  {}  {:>5}  {}{}  {}", record.id, local_time(record.started_ns),
                        record.paths,
                        record.undoes ? fmt::format("undo of {}", *record.undoes) : "apply",
                        record.partly   ? ", partly taken back"
                        : record.undone ? ", taken back"
                                        : "",
                        shadow::quoted(record.agent));
    for (const std::string& ref : record.refs) {
      text += "  " + printable(ref);
    }
    text += '\n';
  }
  return text.empty() ? "no applies\n" : text;
}

Json applies_json(const std::vector<ApplyRecord>& records) {
  Json top;
  top["applies"] = Json::array();
  for (const ApplyRecord& record : records) {
    Json item;
    item["id"] = record.id;
    item["session"] = record.session;
    set_bytes(item, "agent", record.agent);
    item["kind"] = record.is_undo ? "undo" : "apply";
    if (record.undoes) {
      item["undoes"] = *record.undoes;
    }
    item["undone"] = record.undone;
    item["partly"] = record.partly;
    item["started"] = utc_time(record.started_ns);
    item["paths"] = record.paths;
    item["refs"] = Json::array();
    for (const std::string& ref : record.refs) {
      Json named;
      set_bytes(named, "ref", ref);
      item["refs"].push_back(std::move(named));
    }
    top["applies"].push_back(std::move(item));
  }
  return top;
}

std::string undo_plan_text(const UndoPlan& undo, std::string_view from, bool color) {
  std::string text = fmt::format("to take back {} of {}, {}:\n", name_of(undo.of),
                                 shadow::quoted(undo.of.agent), local_time(undo.of.started_ns));
  Listed listed = listed_changes_of(undo.plan);
  listed.changes.insert(listed.repositories.begin(), listed.repositories.end());
  for (const auto& [path, kind] : listed.changes) {
    text += fmt::format("  {}  {}\n", painted(paint_of(kind), std::string{to_letter(kind)}, color),
                        printable(relative_path(path, from)));
  }
  for (const std::string& ref : undo.of.refs) {
    text += fmt::format("  ref {}\n", printable(ref));
  }
  return text + kept_text(undo, from);
}

std::string undo_text(const UndoPlan& undo, const UndoOutcome& outcome, std::string_view from) {
  const std::string name = name_of(undo.of);
  const Listed listed = listed_changes_of(undo.plan);
  const std::size_t refs = undo.of.refs.size();
  const std::string done =
      outcome.result.id == 0
          ? fmt::format("nothing of {} could be taken back\n", name)
          : fmt::format("took back {} of {}; 'shadow undo {}' does it again\n",
                        listed.changes.empty() && listed.repositories.empty() && refs != 0
                            ? plural(refs, "ref")
                            : with_repositories(listed.changes.size(), listed.repositories.size()),
                        name, outcome.result.id);
  return done + kept_text(undo, from) + session_text(undo, outcome, from);
}

std::string hint_of_older(const ApplyRecord& stuck, const std::vector<ApplyRecord>& records) {
  const auto older =
      std::find_if(records.begin(), records.end(), [&stuck](const ApplyRecord& record) {
        return record.id < stuck.id && record.session == stuck.session && !record.is_undo &&
               !record.undone;
      });
  return older == records.end()
             ? ""
             : fmt::format(
                   "'shadow undo {}' takes back the apply before it; 'shadow undo --list' "
                   "lists all",
                   older->id);
}

JsonText undo_json(const UndoPlan& undo, const UndoOutcome* outcome) {
  JsonText top;
  top.set("of", undo.of.id);
  top.set_bytes("agent", undo.of.agent);
  top.list("steps", undo.plan.steps, [](const Step& step) {
    Json record;
    set_bytes(record, "path", step.path);
    record["action"] = to_word(step.action);
    return record;
  });
  top.list("kept", undo.kept, [](const Kept& kept) {
    Json record;
    set_bytes(record, "path", kept.path);
    record["reason"] = kept.reason;
    return record;
  });
  if (outcome == nullptr) {
    return top;
  }
  top.set("undo", outcome->result.id);
  top.set("pending", outcome->session.pending);
  top.set("later", outcome->session.later);
  top.list("newer", outcome->session.newer, [](const std::string& path) {
    Json record;
    set_bytes(record, "path", path);
    return record;
  });
  return top;
}

}  // namespace shadow::cli
