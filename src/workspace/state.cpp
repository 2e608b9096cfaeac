// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/workspace.hpp"

#include "base/text.hpp"
#include "session/project/inside.hpp"
#include "sys/processes/guest.hpp"
#include "workspace/failure.hpp"
#include "workspace/installed.hpp"

#include <utility>

namespace shadow::workspace {

namespace {

std::shared_ptr<const StateHandle> handle_of(StateDir dir, Sinks sinks) {
  sys::become_guest(installed_programs());
  return std::make_shared<const StateHandle>(StateHandle{std::move(dir), std::move(sinks)});
}

}  // namespace

State::State(std::shared_ptr<const StateHandle> handle) : handle_{std::move(handle)} {
}

State State::open(Sinks sinks) {
  return as_call([&] {
    if (const auto inside = session::find_inside()) {
      throw Failure{Kind::Inside,
                    "cannot open the state here: this is the inside of the session of " +
                        quoted(inside->interlocutor) + ", which is reviewed from outside"};
    }
    return State{handle_of(StateDir::open(), std::move(sinks))};
  });
}

State State::at(const std::string& path, Sinks sinks) {
  return as_call([&] {
    if (!path.starts_with('/')) {
      throw Failure{Kind::Invalid,
                    "cannot use the state directory " + quoted(path) + ": not an absolute path"};
    }
    return State{handle_of(StateDir::at(path), std::move(sinks))};
  });
}

const std::string& State::path() const noexcept {
  return handle_->dir.path();
}

Session State::session(const std::string& project, const std::string& agent) const {
  return as_call(
      [&] {
        Project found = find_project(handle_->dir, project);
        found.cwd = found.root;
        return Session{std::make_shared<const SessionHandle>(
            SessionHandle{handle_, std::move(found), named_interlocutor(agent).value_or(agent)})};
      },
      Kind::Invalid);
}

}  // namespace shadow::workspace
