// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/workspace.hpp"

#include "base/text.hpp"
#include "discard/gc.hpp"
#include "doctor/doctor.hpp"
#include "policy/config_file.hpp"
#include "policy/merge_policy.hpp"
#include "session/project/inside.hpp"
#include "status/listing.hpp"
#include "store/database/database.hpp"
#include "sys/files/clock.hpp"
#include "sys/processes/guest.hpp"
#include "sys/processes/process.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/installed.hpp"

#include <utility>

namespace shadow::workspace {

namespace {

constexpr int kRetentionDays = 30;
constexpr std::int64_t kDay = 86'400'000'000'000;

std::shared_ptr<const StateHandle> handle_of(StateDir dir, Sinks sinks, Process process) {
  if (process == Process::Shared) {
    sys::become_guest(installed_programs());
  }
  return std::make_shared<const StateHandle>(
      StateHandle{std::move(dir), std::move(sinks), process});
}

policy::Config configuration(const StateDir& state) {
  return policy::load_config({sys::environment("HOME").value_or(""), state.path(), "", ""});
}

void refuse_inside() {
  if (const auto inside = session::find_inside()) {
    throw Failure{Kind::Inside,
                  "cannot open the state here: this is the inside of the session of " +
                      quoted(inside->agent) + ", which is reviewed from outside"};
  }
}

}  // namespace

State::State(std::shared_ptr<const StateHandle> handle) : handle_{std::move(handle)} {
}

State State::open(Sinks sinks, Process process) {
  return as_call([&] {
    if (process == Process::Shared) {
      refuse_inside();
    }
    return State{handle_of(StateDir::open(), std::move(sinks), process)};
  });
}

State State::at(const std::string& path, Sinks sinks) {
  return as_call([&] {
    if (!path.starts_with('/')) {
      throw Failure{Kind::Invalid,
                    "cannot use the state directory " + quoted(path) + ": not an absolute path"};
    }
    return State{handle_of(StateDir::at(path), std::move(sinks), Process::Shared)};
  });
}

const std::string& State::path() const noexcept {
  return handle_->dir.path();
}

Session State::session(const std::string& project, const std::string& agent) const {
  return as_call(
      [&] {
        shadow::Project found = find_project(handle_->dir, project);
        found.cwd = found.root;
        auto of = std::make_shared<const ProjectHandle>(ProjectHandle{handle_, std::move(found)});
        return Session{std::make_shared<const SessionHandle>(
            SessionHandle{std::move(of), named_agent(agent).value_or(agent)})};
      },
      Kind::Invalid);
}

Project State::project(const std::optional<std::string>& directory) const {
  return as_call([&] {
    return Project{std::make_shared<const ProjectHandle>(
        ProjectHandle{handle_, find_project(handle_->dir, directory)})};
  });
}

Settings State::settings() const {
  return as_call([&] { return Settings{configuration(handle_->dir).pager}; });
}

std::vector<ListedSession> State::sessions(std::chrono::milliseconds patience) const {
  return as_call([&] {
    store::Database db{handle_->dir.database()};
    return status::list_counted(handle_->dir, db, patience);
  });
}

std::vector<Finding> State::examine(const std::optional<std::string>& directory) const {
  return as_call([&] {
    doctor::DoctorRequest request;
    request.state = path();
    request.home = sys::environment("HOME").value_or("");
    try {
      request.project = find_project(handle_->dir, directory).root;
    } catch (const Error& error) {
      // A place that cannot be a project is nothing wrong with the machine; the home, for one,
      // where a user stands who has just installed it.
      if (directory) {
        note_sink (*handle_)(std::string{"the project is left out: "} + error.what());
      }
    }
    std::vector<Finding> findings = doctor::examine(request);
    try {
      const policy::PolicyPlaces places{request.home, request.state, request.project,
                                        request.project};
      policy::Policy merged = policy::merge_policy(policy::load_config(places).layers, places);
      policy::check_policy(merged, places);
    } catch (const Error& error) {
      findings.push_back({"configuration", Health::Cannot, error.what(), error.hint()});
    }
    return findings;
  });
}

std::vector<Finding> State::examine_machine() {
  return as_call([] { return doctor::examine({}); });
}

GcReport State::collect_garbage(GcMode mode) const {
  return as_call([&] {
    store::Database db{handle_->dir.database()};
    const std::int64_t kept =
        configuration(handle_->dir).retention_days.value_or(kRetentionDays) * kDay;
    return discard::collect_garbage(handle_->dir, db, sys::now_ns() - kept, mode);
  });
}

}  // namespace shadow::workspace
