// SPDX-License-Identifier: MIT
// The contents of the public interface's objects.

#pragma once

#include "shadow/session.hpp"
#include "shadow/workspace.hpp"

#include "session/directory/review_session.hpp"

#include <memory>
#include <string>

namespace shadow {

struct StateHandle {
  StateDir dir;
  workspace::Sinks sinks;
  workspace::Process process = workspace::Process::Shared;
};

struct ProjectHandle {
  std::shared_ptr<const StateHandle> state;
  Project project;
};

struct SessionHandle {
  std::shared_ptr<const ProjectHandle> of;  // the caller stands at its root
  std::string agent;
};

struct ReviewHandle {
  std::shared_ptr<const StateHandle> state;
  session::ReviewSession session;
};

}  // namespace shadow
