// SPDX-License-Identifier: MIT
// The entries that reviews showed, kept with the session, and applies that hold to them.

#pragma once

#include "shadow/patch.hpp"

#include "apply/promotion/promotion.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/shown.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow::apply {

// Takes note of what a patch shows as it is written.
class ShownNotes {
 public:
  // The files of the patch, with the sides that will be.
  explicit ShownNotes(const std::vector<PatchFile>& files);

  // For write_patch; borrows this.
  [[nodiscard]] PatchWritten listener();

  // The patch is written to its end: what it had nothing to say of, as of other permission bits
  // than git knows, was shown, too.
  void whole();

  // Keeps all of that. In one transaction; nothing where nothing was shown.
  void keep(const session::ReviewSession& session);

 private:
  std::map<std::string, const PatchFile*> files_;
  std::map<std::string, Digest> shown_;
};

// How much of what an apply writes can be shown as a patch, and how much of that never was.
struct Looked {
  std::size_t patches = 0;
  std::size_t never = 0;
};

// Lets the plan's steps say what was shown of them: execute_promotion then writes nothing else.
// Throws UnseenError where a new repository has other commits than were shown.
Looked bind_to_shown(const session::ReviewSession& session, Promotion& promotion);

// Throws as execute_promotion would for what is not what was shown: by a look at the session as it
// is, for those who ask before they write.
void require_as_shown(const session::ReviewSession& session, const Promotion& promotion);

// Checks callers that write what the session has by now, and not what the plan says of it.
class ShownCheck {
 public:
  // Borrows both.
  ShownCheck(const session::ReviewSession& session, const Promotion& promotion);

  // True if the path may be written with this entry, and a file with this content.
  [[nodiscard]] bool accepts(const std::string& path, const Entry& now,
                             const std::optional<Digest>& content) const;

 private:
  const session::ReviewSession& session_;
  const Promotion& promotion_;
  std::map<std::string, const Step*> steps_;
};

// The error of an apply that would write something else than what was shown at these paths.
[[noreturn]] void throw_unseen(const session::ReviewSession& session, const Promotion& promotion,
                               const std::vector<std::string>& paths);

// execute_promotion; that it would have written something else than what was shown is said with
// when that was.
ApplyResult execute_as_shown(const session::ReviewSession& session, const Promotion& promotion,
                             bool keep_mtime);

}  // namespace shadow::apply
