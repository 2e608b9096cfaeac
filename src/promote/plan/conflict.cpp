// SPDX-License-Identifier: MIT
#include "promote/plan/conflict.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shadow::promote {

namespace {

bool agree(Changed facet) {
  return facet == Changed::Neither || facet == Changed::Alike;
}

bool by_project(Changed facet) {
  return facet != Changed::Neither && facet != Changed::Session;
}

Resolution conflict(Clash clash) {
  Resolution resolution;
  resolution.verdict = Verdict::Conflict;
  resolution.content = Side::Project;
  resolution.mode = Side::Project;
  resolution.clash = clash;
  return resolution;
}

// Two different entries, where something else or nothing was.
Clash clash_of_kinds(const ThreeWay& three) {
  if (three.session == EntryKind::Absent) {
    return Clash::GoneInSession;
  }
  if (three.project == EntryKind::Absent) {
    return Clash::GoneInProject;
  }
  return three.base == EntryKind::Absent ? Clash::BothAdded : Clash::Kind;
}

bool one_kind(const ThreeWay& three) {
  return three.base == three.project && three.project == three.session;
}

Side side_of(Changed facet) {
  return facet == Changed::Session ? Side::Session : Side::Project;
}

// A file that the project made after the session began, and the session went on from.
bool both_made_file(const ThreeWay& three) {
  return three.seen != Seen::No && three.base == EntryKind::Absent &&
         three.project == EntryKind::File && three.session == EntryKind::File;
}

Resolution resolve_links(const ThreeWay& three) {
  if (three.seen != Seen::Yes) {
    return conflict(Clash::Target);
  }
  Resolution resolution;
  resolution.replaces = true;
  return resolution;
}

// Each side changed something that the other has not.
Resolution resolve_both(const ThreeWay& three) {
  if (!one_kind(three) && !both_made_file(three)) {
    // Also a mode that was changed on one side while the other made something else of the path.
    return conflict(clash_of_kinds(three));
  }
  if (three.taken_back) {
    return conflict(Clash::TakesBack);
  }
  if (three.content == Changed::Apart && three.project == EntryKind::Symlink) {
    return resolve_links(three);
  }
  if (three.mode == Changed::Apart && three.entry_seen != Seen::Yes) {
    return conflict(Clash::Mode);
  }
  if (three.attributes == Changed::Apart) {
    return conflict(Clash::Attributes);
  }
  if (three.project != EntryKind::File) {
    return conflict(Clash::Kind);
  }
  Resolution resolution;
  resolution.verdict = Verdict::Merge;
  resolution.content = three.content == Changed::Apart ? Side::Both : side_of(three.content);
  resolution.mode = three.mode == Changed::Apart ? Side::Session : side_of(three.mode);
  resolution.attributes = three.attributes == Changed::Project ? Side::Project : Side::Session;
  return resolution;
}

// The project's version was before the session when it had nothing of its own. Of a text nobody can
// tell whether it was made of that or written from memory, which its lines decide.
Resolution resolve_taken_over(const ThreeWay& three) {
  if (three.taken_back) {
    return conflict(Clash::TakesBack);
  }
  const bool files = three.project == EntryKind::File && three.session == EntryKind::File;
  const bool texts = files && three.content == Changed::Apart;
  if (texts && !three.base_known && three.seen != Seen::Yes) {
    return conflict(Clash::NoBase);
  }
  const bool others_mode = files && three.mode == Changed::Project;
  // Attributes come with the session's entry as a whole, and not with a merge.
  if (!agree(three.attributes) && (others_mode || (texts && three.seen != Seen::Yes))) {
    return conflict(Clash::Attributes);
  }
  Resolution resolution;
  if (texts || others_mode) {
    resolution.verdict = Verdict::Merge;
    resolution.content = texts ? Side::Both : Side::Session;
    resolution.mode = others_mode ? Side::Project : Side::Session;
    return resolution;
  }
  resolution.verdict = three.session == EntryKind::Absent ? Verdict::Delete : Verdict::Write;
  resolution.replaces = true;
  return resolution;
}

Resolution stands(Resolution resolution, bool replaces) {
  resolution.content = Side::Session;
  resolution.replaces = replaces;
  return resolution;
}

}  // namespace

Resolution resolve(const ThreeWay& three) {
  const std::array facets{three.content, three.mode, three.attributes};
  const bool same = std::all_of(facets.begin(), facets.end(), agree);
  const bool project_has_all = std::none_of(facets.begin(), facets.end(), [](Changed facet) {
    return facet == Changed::Session || facet == Changed::Apart;
  });
  Resolution resolution;
  if (same || (three.base_known && project_has_all)) {
    resolution.verdict = Verdict::Nothing;
    return resolution;
  }
  if (!three.base_known) {
    return three.taken_over ? resolve_taken_over(three) : conflict(Clash::NoBase);
  }
  if (std::none_of(facets.begin(), facets.end(), by_project)) {
    resolution.verdict = three.session == EntryKind::Absent ? Verdict::Delete : Verdict::Write;
    return resolution;
  }
  return three.taken_over ? resolve_taken_over(three) : resolve_both(three);
}

Resolution resolve_later(Resolution resolution, Seen seen, std::optional<WorkedOn> worked_on,
                         Clash otherwise) {
  if (!worked_on) {
    return seen == Seen::Yes ? stands(std::move(resolution), true) : conflict(otherwise);
  }
  switch (*worked_on) {
    case WorkedOn::Kept:
      return stands(std::move(resolution), false);
    case WorkedOn::Replaced:
      return seen == Seen::Yes ? stands(std::move(resolution), true) : conflict(Clash::Lines);
    case WorkedOn::TakenBack:
      break;
  }
  return conflict(Clash::TakesBack);
}

}  // namespace shadow::promote

namespace shadow {

const char* to_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Nothing:
      return "nothing";
    case Verdict::Write:
      return "write";
    case Verdict::Delete:
      return "delete";
    case Verdict::Merge:
      return "merge";
    case Verdict::Conflict:
      break;
  }
  return "conflict";
}

const char* to_sentence(Clash clash) {
  switch (clash) {
    case Clash::None:
      return "";
    case Clash::NoBase:
      return "changed in the project too, and what the session started from is not known";
    case Clash::NoText:
      return "changed on both sides, and the text before that is not kept";
    case Clash::BothAdded:
      return "added on both sides";
    case Clash::GoneInProject:
      return "deleted in the project, changed in the session";
    case Clash::GoneInSession:
      return "changed in the project, deleted in the session";
    case Clash::Kind:
      return "something else on each side";
    case Clash::TakesBack:
      return "the session's version takes a change of the project's back";
    case Clash::Lines:
      return "the same lines were changed on both sides";
    case Clash::Binary:
      return "changed on both sides, and not text";
    case Clash::TooLarge:
      return "changed on both sides, and too large to be merged";
    case Clash::Target:
      return "the link leads to another place on each side";
    case Clash::Mode:
      return "another mode on each side";
    case Clash::Attributes:
      break;
  }
  return "other extended attributes or ACLs, which both sides may have changed";
}

const char* to_sentence(const Resolution& resolution) {
  if (resolution.verdict == Verdict::Merge) {
    return "changed in the project too, can be merged";
  }
  return resolution.replaces ? "replaces what the project changed" : to_sentence(resolution.clash);
}

}  // namespace shadow
