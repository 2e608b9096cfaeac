// SPDX-License-Identifier: MIT
#include "apply/choice/on_conflict.hpp"

#include "policy/config_file.hpp"
#include "sys/processes/process.hpp"

#include <string>

namespace shadow::apply {

namespace {

// True if there are two texts to put side by side. What has a partner is the new name of that.
bool can_have_markers(const ReviewItem& item) {
  const Change& change = item.change;
  const bool two_files = change.before.kind == EntryKind::File || !item.resolution.partner.empty();
  switch (item.resolution.clash) {
    case Clash::NoBase:
    case Clash::NoText:
    case Clash::BothAdded:
    case Clash::Lines:
      return two_files && change.after.kind == EntryKind::File;
    default:
      return false;
  }
}

}  // namespace

OnConflict settled(OnConflict how, const session::ReviewSession& session) {
  if (how != OnConflict::Configured) {
    return how;
  }
  const policy::Config config =
      policy::load_config({sys::environment("HOME").value_or(""), session.state.path(),
                           session.project.root, session.project.cwd});
  const std::string word = config.on_conflict.value_or("merge");
  return word == "stop" ? OnConflict::Stop : word == "skip" ? OnConflict::Skip : OnConflict::Merge;
}

bool is_merged(const ReviewItem& item, OnConflict how) {
  if (how == OnConflict::Stop || item.change.kind == ChangeKind::Deleted) {
    return false;
  }
  const Verdict verdict = item.resolution.verdict;
  return verdict == Verdict::Merge ||
         (verdict == Verdict::Conflict && how == OnConflict::Markers && can_have_markers(item));
}

bool stops(const ReviewItem& item, OnConflict how) {
  const Verdict verdict = item.resolution.verdict;
  if (item.resolution.replaces && how == OnConflict::Stop) {
    return true;
  }
  if (verdict != Verdict::Merge && verdict != Verdict::Conflict) {
    return false;
  }
  switch (how) {
    case OnConflict::Stop:
      return true;
    case OnConflict::Merge:
      return verdict == Verdict::Conflict;
    case OnConflict::Markers:
      return verdict == Verdict::Conflict && !can_have_markers(item) &&
             !(item.change.kind == ChangeKind::Deleted && !item.resolution.partner.empty());
    default:
      return false;
  }
}

}  // namespace shadow::apply
