// SPDX-License-Identifier: MIT
#include "changes/moves/added_side.hpp"

namespace shadow::changes {

PatchFile added_side(const session::ReviewSession& session, const ReviewItem& item) {
  PatchFile file;
  file.path = item.change.path;
  file.after = item.change.after;
  file.after_content = {session.upper.get(), item.change.path, {}};
  return file;
}

}  // namespace shadow::changes
