// SPDX-License-Identifier: MIT
// Paths of which sensitive changes were allowed, and which have none: a misspelt permission is not
// to be taken for one that was heard.

#pragma once

#include "shadow/review.hpp"

#include "apply/choice/choice.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::apply {

struct Unmet {
  std::vector<std::string> paths;
  std::vector<std::string> sensitive;  // that could have been meant
};

// With AnyChange a path at which something is changed counts as met: what is written may be less,
// or come by other ways, than what was judged so far.
enum class MetBy : std::uint8_t { SensitiveChange, AnyChange };

[[nodiscard]] Unmet unmet_permissions(const session::ReviewSession& session, const ReviewSet& set,
                                      const ApplyChoice& choice, MetBy by);

// Throws Error (No) that names the paths, if there are any.
void refuse_unmet(const Project& project, const Unmet& unmet);

// Both at once, of a session that is looked at for this alone.
void require_met(const session::ReviewSession& session, const ApplyChoice& choice, MetBy by);

}  // namespace shadow::apply
