// SPDX-License-Identifier: MIT
// Three versions of one path (the base, the project's and the session's) and what an apply makes of
// them. Pure.

#pragma once

#include "shadow/entry.hpp"
#include "shadow/resolution.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow::promote {

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
  Changed attributes = Changed::Neither;  // user.* and ACLs, which are not merged
  Seen seen = Seen::No;                   // for what is in a file
  Seen entry_seen = Seen::No;             // for the entry as a whole, its mode too

  // The session has the base's content, and the project another one; `content` is Apart then, if
  // the session may have made it so.
  bool taken_back = false;

  // The session had nothing of its own when it was used after the project's last change: what it
  // made of the path, it made of that. Only a text may have been written from memory.
  bool taken_over = false;
};

// With content Side::Both the caller still has to merge the texts, and may find that they clash.
[[nodiscard]] Resolution resolve(const ThreeWay& three);

// The resolution of two contents that a Resolution says to merge, where the session's was written
// after the project's (Seen::Maybe or Yes): its own stands, or the two are in conflict. `worked_on`
// is nullopt for what is no text or too large, and `otherwise` the conflict that it then is.
[[nodiscard]] Resolution resolve_later(Resolution resolution, Seen seen,
                                       std::optional<WorkedOn> worked_on, Clash otherwise);

}  // namespace shadow::promote
