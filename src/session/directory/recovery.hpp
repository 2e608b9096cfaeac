// SPDX-License-Identifier: MIT
// Every command begins with this: an interrupted apply is finished or rolled back.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/session.hpp"

#include <string>

namespace shadow::session {

// Recovers the project if an apply of it was interrupted, and reports that. One look for a file
// when there is none. Nothing when an apply is going on just now.
void recover_project(const ApplySite& site, const NoteSink& note);

// The same without a database, which is opened only when it is needed.
void recover_project(const StateDir& state, const std::string& project, const NoteSink& note);

}  // namespace shadow::session
