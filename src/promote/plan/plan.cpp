// SPDX-License-Identifier: MIT
#include "shadow/apply.hpp"

#include <algorithm>

namespace shadow {
namespace {

Step step_for(const Change& change, Action action) {
  Step step;
  step.path = change.path;
  step.action = action;
  step.before = change.before;
  step.after = change.after;
  if (change.after.exists()) {
    step.from_session = true;
    step.has_attributes = change.has_attributes;
    step.attributes_changed = change.xattrs_changed || change.acl_changed;
  }
  return step;
}

Step creation(const Change& change) {
  switch (change.after.kind) {
    case EntryKind::Directory:
      return step_for(change, Action::MakeDirectory);
    case EntryKind::File: {
      const bool linked = !change.link_to.empty() && !change.link_is_copy;
      Step step = step_for(change, linked ? Action::HardLink : Action::Write);
      step.link_to = change.link_to;
      return step;
    }
    default:
      return step_for(change, Action::WriteLink);
  }
}

Step deletion(const Change& change) {
  Step step = step_for(change, change.before.kind == EntryKind::Directory ? Action::RemoveDirectory
                                                                          : Action::Delete);
  step.after = Entry{};
  step.from_session = false;
  return step;
}

bool only_attributes(const Change& change) {
  if (change.kind != ChangeKind::Modified || change.content_changed) {
    return false;
  }
  // A file with other names is replaced: in the view copy-up broke the link, and the other names,
  // which may lie outside the project, kept their attributes.
  return change.after.kind == EntryKind::Directory ||
         (change.link_to.empty() && change.before.nlink <= 1);
}

int rank(const Step& step) {
  switch (step.action) {
    case Action::Delete:
    case Action::RemoveDirectory:
      return 0;
    case Action::MakeDirectory:
      return 1;
    case Action::Write:
    case Action::WriteLink:
      return 2;
    case Action::HardLink:
      return 3;
    case Action::SetAttributes:
      break;
  }
  return step.before.kind == EntryKind::Directory ? 4 : 2;
}

bool goes_before(const Step& a, const Step& b) {
  const int first = rank(a);
  const int second = rank(b);
  if (first != second) {
    return first < second;
  }
  // "d/x" sorts after "d": descending order is children before parents.
  return first == 0 || first == 4 ? a.path > b.path : a.path < b.path;
}

}  // namespace

const char* to_word(Action action) {
  switch (action) {
    case Action::MakeDirectory:
      return "make directory";
    case Action::SetAttributes:
      return "set attributes";
    case Action::Write:
      return "write";
    case Action::WriteLink:
      return "write link";
    case Action::HardLink:
      return "hard link";
    case Action::Delete:
      return "delete";
    case Action::RemoveDirectory:
      break;
  }
  return "remove directory";
}

void order_steps(std::vector<Step>& steps) {
  std::stable_sort(steps.begin(), steps.end(), goes_before);
}

void add_steps(std::vector<Step>& steps, const Change& change) {
  if (change.after.kind == EntryKind::Device) {
    return;
  }
  if (change.kind == ChangeKind::Deleted) {
    steps.push_back(deletion(change));
    return;
  }
  if (only_attributes(change)) {
    steps.push_back(step_for(change, Action::SetAttributes));
    return;
  }
  // rename(2) puts any non-directory over any other; from or to a directory takes two steps.
  const bool was_directory = change.before.kind == EntryKind::Directory;
  const bool is_directory = change.after.kind == EntryKind::Directory;
  const bool in_two = change.before.exists() && was_directory != is_directory;
  if (in_two) {
    steps.push_back(deletion(change));
  }
  steps.push_back(creation(change));
  if (in_two) {
    steps.back().before = Entry{};
  }
}

}  // namespace shadow
