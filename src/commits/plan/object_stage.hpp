// SPDX-License-Identifier: MIT
// Copies of the objects of a repository that a session made: judged, and written from. A run can
// change a file that it has mapped at any moment, and no time stamp tells.

#pragma once

#include "shadow/commits.hpp"

#include "commits/refs/commit_staging.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::commits {

class ObjectStage {
 public:
  // Copies these files, whose paths in the project lie below `objects`; those that are gone by now
  // are left out. Throws SysError.
  ObjectStage(const session::ReviewSession& session, std::string objects,
              const std::vector<std::string>& files);

  // The directory of the copies.
  [[nodiscard]] std::string path() const { return staging_.path() + "/objects"; }

  // For an index beside them.
  [[nodiscard]] std::string index_path() const { return staging_.path() + "/index"; }

  // Hands the copies to the history: small ones as texts, others as open files. Neither needs the
  // stage any more.
  void put_into(NewHistory& history) const;

 private:
  CommitStaging staging_;
  std::string objects_;
  std::vector<std::string> files_;  // that were copied
};

}  // namespace shadow::commits
