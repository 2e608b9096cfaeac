// SPDX-License-Identifier: MIT
// The conflict table over every combination of three versions of one path.

#include "promote/plan/conflict.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

using shadow::Clash;
using shadow::EntryKind;
using shadow::Resolution;
using shadow::Side;
using shadow::Verdict;
using shadow::promote::Changed;
using shadow::promote::changed_by;
using shadow::promote::Seen;
using shadow::promote::ThreeWay;

namespace {

struct Version {
  EntryKind kind = EntryKind::Absent;
  int content = 0;
  int mode = 0;
  int attributes = 0;

  bool operator==(const Version&) const = default;
};

bool has_content(EntryKind kind) {
  return kind == EntryKind::File || kind == EntryKind::Symlink || kind == EntryKind::Device;
}

// Every version that a path can have; three of everything, so that all can differ.
std::vector<Version> all_versions() {
  std::vector<Version> all{{}};
  for (const EntryKind kind : std::array{EntryKind::File, EntryKind::Symlink, EntryKind::Directory,
                                         EntryKind::Fifo, EntryKind::Device}) {
    for (int content = 0; content < (has_content(kind) ? 3 : 1); ++content) {
      for (int mode = 0; mode < (kind == EntryKind::Symlink ? 1 : 3); ++mode) {
        for (int attributes = 0; attributes < (kind == EntryKind::File ? 2 : 1); ++attributes) {
          all.push_back({kind, content, mode, attributes});
        }
      }
    }
  }
  return all;
}

ThreeWay three_way(const Version& base, const Version& project, const Version& session) {
  ThreeWay three;
  three.base = base.kind;
  three.project = project.kind;
  three.session = session.kind;
  const auto content = [](const Version& one) { return std::pair{one.kind, one.content}; };
  three.content = changed_by(content(base), content(project), content(session));
  three.mode = changed_by(base.mode, project.mode, session.mode);
  three.attributes = changed_by(base.attributes, project.attributes, session.attributes);
  return three;
}

// What the project has afterwards; of merged texts something that neither side has.
constexpr int kMerged = 99;

Version outcome(const Resolution& resolution, const Version& project, const Version& session) {
  switch (resolution.verdict) {
    case Verdict::Nothing:
    case Verdict::Conflict:
      return project;
    case Verdict::Delete:
      return {};
    case Verdict::Write:
      return session;
    case Verdict::Merge:
      break;
  }
  Version merged = project;
  if (resolution.content != Side::Project) {
    merged.content = resolution.content == Side::Both ? kMerged : session.content;
  }
  merged.mode = (resolution.mode == Side::Session ? session : project).mode;
  merged.attributes = (resolution.attributes == Side::Session ? session : project).attributes;
  return merged;
}

bool keeps(int base, int side, int result) {
  return side == base || result == side || result == kMerged;
}

struct Count {
  int all = 0;
  int merges = 0;
  int conflicts = 0;
};

// The promises about one combination; a word for the first that is broken.
std::string broken(const Version& base, const Version& project, const Version& session,
                   Count& count) {
  const Resolution resolution = shadow::promote::resolve(three_way(base, project, session));
  const Version result = outcome(resolution, project, session);
  const bool is_conflict = resolution.verdict == Verdict::Conflict;
  ++count.all;
  count.merges += resolution.verdict == Verdict::Merge ? 1 : 0;
  count.conflicts += is_conflict ? 1 : 0;
  if (is_conflict != (resolution.clash != Clash::None)) {
    return "a conflict has a reason, and nothing else has";
  }
  if (is_conflict && std::string{shadow::to_sentence(resolution.clash)}.empty()) {
    return "a reason has words";
  }
  if (project == session) {
    return resolution.verdict == Verdict::Nothing ? "" : "what both have needs nothing";
  }
  if (session == base) {
    return resolution.verdict == Verdict::Nothing ? "" : "only the project changed: nothing";
  }
  if (project == base) {
    const Verdict wanted = session.kind == EntryKind::Absent ? Verdict::Delete : Verdict::Write;
    return resolution.verdict == wanted ? "" : "only the session changed: its version";
  }
  if (resolution.verdict != Verdict::Merge) {
    const bool has_all = resolution.verdict == Verdict::Nothing &&
                         keeps(base.content, session.content, project.content) &&
                         keeps(base.mode, session.mode, project.mode) &&
                         keeps(base.attributes, session.attributes, project.attributes);
    return is_conflict || has_all ? "" : "both changed: a merge, a conflict, or there already";
  }
  const bool one_kind = base.kind == project.kind && project.kind == session.kind;
  if (!one_kind || base.kind != EntryKind::File) {
    return "only files are merged";
  }
  const bool kept = keeps(base.content, project.content, result.content) &&
                    keeps(base.content, session.content, result.content) &&
                    keeps(base.mode, project.mode, result.mode) &&
                    keeps(base.mode, session.mode, result.mode) &&
                    keeps(base.attributes, project.attributes, result.attributes) &&
                    keeps(base.attributes, session.attributes, result.attributes);
  return kept ? "" : "a merge has what both sides changed";
}

bool both_files(const Version& a, const Version& b) {
  return a.kind == EntryKind::File && b.kind == EntryKind::File;
}

// As the facts are gathered: what has the base's content was not simply left as it was.
ThreeWay taken_over(const Version& base, const Version& project, const Version& session) {
  ThreeWay three = three_way(base, project, session);
  three.taken_over = true;
  three.seen = three.entry_seen = Seen::Yes;
  if (three.content == Changed::Project) {
    three.content = Changed::Apart;
    three.taken_back = project.kind != EntryKind::Absent && session.kind != EntryKind::Absent;
  }
  return three;
}

std::string problem_of_taken_over(const ThreeWay& three, const Version& project,
                                  const Version& session) {
  const Resolution resolution = shadow::promote::resolve(three);
  ThreeWay unseen = three;
  unseen.taken_over = false;
  const Resolution before = shadow::promote::resolve(unseen);
  if (before.verdict != Verdict::Conflict && before.verdict != Verdict::Merge) {
    return resolution.verdict == before.verdict ? "" : "what was none stays no conflict";
  }
  if (three.taken_back) {
    return resolution.clash == Clash::TakesBack ? "" : "the base's content may be from memory";
  }
  const bool files = both_files(project, session);
  const bool others_mode = files && three.mode == Changed::Project;
  if (others_mode && project.attributes != session.attributes) {
    return resolution.clash == Clash::Attributes ? "" : "attributes are not merged";
  }
  if (files && three.content == Changed::Apart) {
    return resolution.verdict == Verdict::Merge && resolution.content == Side::Both
               ? ""
               : "the lines of two texts decide";
  }
  if (others_mode) {
    return resolution.verdict == Verdict::Merge && resolution.mode == Side::Project
               ? ""
               : "a mode that the project alone changed stays";
  }
  const Verdict wanted = session.kind == EntryKind::Absent ? Verdict::Delete : Verdict::Write;
  return resolution.verdict == wanted && resolution.replaces ? "" : "it is the session's";
}

}  // namespace

TEST_SUITE("promote/conflict") {
  TEST_CASE("every combination of three versions keeps the promises") {
    const std::vector<Version> versions = all_versions();
    Count count;
    for (const Version& base : versions) {
      for (const Version& project : versions) {
        for (const Version& session : versions) {
          const std::string problem = broken(base, project, session, count);
          INFO("kinds ", static_cast<int>(base.kind), ' ', static_cast<int>(project.kind), ' ',
               static_cast<int>(session.kind), " contents ", base.content, project.content,
               session.content, " modes ", base.mode, project.mode, session.mode);
          CHECK(problem == "");
        }
      }
    }
    MESSAGE(count.all << " combinations, " << count.merges << " merges, " << count.conflicts
                      << " conflicts");
    CHECK(count.merges > 0);
    CHECK(count.conflicts > 0);
  }

  TEST_CASE("without a base everything but what is there already is a conflict") {
    const std::vector<Version> versions = all_versions();
    for (const Version& project : versions) {
      for (const Version& session : versions) {
        ThreeWay three = three_way({EntryKind::Socket, 7, 7, 7}, project, session);
        three.base_known = false;
        const Resolution resolution = shadow::promote::resolve(three);
        CHECK(resolution.verdict == (project == session ? Verdict::Nothing : Verdict::Conflict));
        CHECK(resolution.clash == (project == session ? Clash::None : Clash::NoBase));
      }
    }
  }

  TEST_CASE("what the session took over is a conflict only for what may be from memory") {
    const std::vector<Version> versions = all_versions();
    for (const Version& project : versions) {
      for (const Version& session : versions) {
        for (const Version& base : versions) {
          CHECK(problem_of_taken_over(taken_over(base, project, session), project, session) == "");
        }
        ThreeWay without = taken_over({EntryKind::Socket, 7, 7, 7}, project, session);
        without.base_known = false;
        CHECK(problem_of_taken_over(without, project, session) == "");
      }
    }
  }

  TEST_CASE("the rows of the table that people meet") {
    const Version gone;
    const Version file{EntryKind::File, 0, 0, 0};
    const Version edited{EntryKind::File, 1, 0, 0};
    const Version other{EntryKind::File, 2, 0, 0};
    const Version executable{EntryKind::File, 0, 1, 0};
    const Version link{EntryKind::Symlink, 1, 0, 0};
    const auto of = [](const Version& base, const Version& project, const Version& session) {
      return shadow::promote::resolve(three_way(base, project, session));
    };
    CHECK(of(file, edited, other).content == Side::Both);
    CHECK(of(file, edited, executable).content == Side::Project);
    CHECK(of(file, edited, executable).mode == Side::Session);
    CHECK(of(file, executable, edited).content == Side::Session);
    CHECK(of(file, executable, edited).mode == Side::Project);
    CHECK(of(gone, edited, other).clash == Clash::BothAdded);
    CHECK(of(file, gone, edited).clash == Clash::GoneInProject);
    CHECK(of(file, edited, gone).clash == Clash::GoneInSession);
    CHECK(of(file, executable, gone).clash == Clash::GoneInSession);
    CHECK(of(file, link, edited).clash == Clash::Kind);
    CHECK(of(file, executable, {EntryKind::File, 0, 2, 0}).clash == Clash::Mode);
    CHECK(of(link, {EntryKind::Symlink, 0, 0, 0}, {EntryKind::Symlink, 2, 0, 0}).clash ==
          Clash::Target);
    CHECK(of(file, {EntryKind::File, 1, 0, 1}, edited).verdict == Verdict::Nothing);
  }
}
