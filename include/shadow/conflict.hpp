// SPDX-License-Identifier: MIT
// Three versions of one path (the base, the project's and the session's) and what an apply makes of
// them. Pure.

#pragma once

#include "shadow/entry.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow {

// The sides that changed one thing since the base.
enum class Changed : std::uint8_t {
  Neither,
  Project,
  Session,
  Alike,  // both, to the same
  Apart   // both, to different things
};

template <class Value>
[[nodiscard]] Changed changed_by(const Value& base, const Value& project, const Value& session) {
  if (project == session) {
    return project == base ? Changed::Neither : Changed::Alike;
  }
  if (project == base) {
    return Changed::Session;
  }
  return session == base ? Changed::Project : Changed::Apart;
}

// The possibility that the writer of the session's version had read the project's.
enum class Seen : std::uint8_t {
  No,     // it was written, or hid the project's, before the project's last change
  Maybe,  // the run began before that change and wrote after it
  Yes     // the run began after it
};

// The session's text at the places that the project changed.
enum class WorkedOn : std::uint8_t {
  Kept,      // the project's text
  Replaced,  // a third one, in at least one place
  TakenBack  // the base's again, in at least one place: meant, or written from memory
};

// One path. Without a known base the facets are Alike or Apart.
struct ThreeWay {
  bool base_known = true;
  EntryKind base = EntryKind::Absent;
  EntryKind project = EntryKind::Absent;
  EntryKind session = EntryKind::Absent;
  Changed content = Changed::Neither;     // kind, and bytes, link target or device number
  Changed mode = Changed::Neither;        // of what has one: not of symlinks
  Changed attributes = Changed::Neither;  // user.*, which are not merged
  Seen seen = Seen::No;                   // for what is in a file
  Seen entry_seen = Seen::No;             // for the entry as a whole, its mode too

  // The session has the base's content, and the project another one; `content` is Apart then, if
  // the session may have made it so.
  bool taken_back = false;
};

enum class Verdict : std::uint8_t {
  Nothing,  // the project has it already, or only the project changed
  Write,    // the session's version
  Delete,
  Merge,  // `content` and `mode` of a Resolution say what of
  Conflict
};

// The side whose part goes into a merge. Both: the two texts are merged.
enum class Side : std::uint8_t { Project, Session, Both };

// Why the two changes do not go together.
enum class Clash : std::uint8_t {
  None,
  NoBase,         // what the session started from is not known
  NoText,         // its text is not kept
  BothAdded,      // a different one each
  GoneInProject,  // the session changed what the project deleted
  GoneInSession,  // the project changed what the session deleted
  Kind,           // something other than a file, or became so on one side
  TakesBack,      // the session has the base's text where the project changed it
  Lines,          // the same lines of a text
  Binary,         // not text
  TooLarge,       // for a merge
  Target,         // of symlinks
  Mode,
  Attributes
};

struct Resolution {
  Verdict verdict = Verdict::Write;
  Side content = Side::Session;
  Side mode = Side::Session;
  Clash clash = Clash::None;

  // The session's text stands, and replaces some that the project changed since the base.
  bool replaces = false;

  // The other half of a rename that carries the project's edit along: of a deleted path the new
  // name, of an added one the old name.
  RareText partner;
};

// By content Side::Both the caller still has to merge the texts, and may find that they clash.
[[nodiscard]] Resolution resolve(const ThreeWay& three);

// The resolution of two contents that a Resolution says to merge, where the session's was written
// after the project's (Seen::Maybe or Yes): its own stands, or the two are in conflict. `worked_on`
// is nullopt for what is no text or too large, and `otherwise` the conflict that it then is.
[[nodiscard]] Resolution resolve_later(Resolution resolution, Seen seen,
                                       std::optional<WorkedOn> worked_on, Clash otherwise);

// "nothing", "write", "delete", "merge", "conflict".
[[nodiscard]] const char* to_word(Verdict verdict);

// The reason in words, as the end of "cannot apply 'x': ..."; "" for None.
[[nodiscard]] const char* to_sentence(Clash clash);

// That of whatever keeps a path from being written by OnConflict::Stop.
[[nodiscard]] const char* to_sentence(const Resolution& resolution);

}  // namespace shadow
