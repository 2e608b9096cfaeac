// SPDX-License-Identifier: MIT
// Directories of a session whose attributes become the project's.

#pragma once

#include "live/view_edit.hpp"
#include "refresh/refresh_plan.hpp"
#include "session/directory/review_session.hpp"

namespace shadow::refresh {

// Of the upper's directory only the attributes count: it gets the project's, which are its base
// from then on. With `edit` the session is live, and it is done through the view. Throws StaleError
// when the mode of either is not the one that was planned with.
void adopt_directory(const session::ReviewSession& session, live::ViewEdit* edit,
                     const RefreshStep& step);

}  // namespace shadow::refresh
