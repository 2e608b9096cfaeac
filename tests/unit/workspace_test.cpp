// SPDX-License-Identifier: MIT
// The public interface over a session's files on disk: what it answers, and how it fails.

#include "shadow/workspace.hpp"

#include "support/session_fixture.hpp"
#include "upkeep/open_review.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ws = shadow::workspace;
using shadow::test::SessionFixture;
using ws::Kind;

namespace {

class Host : public SessionFixture {
 public:
  using SessionFixture::SessionFixture;

  [[nodiscard]] ws::Session session(ws::Sinks sinks = {}) const {
    return ws::State::open(std::move(sinks)).session(root(), "a b/../c");
  }
};

template <class Call>
ws::Failure failure_of(const Call& call) {
  try {
    call();
  } catch (const ws::Failure& failure) {
    return failure;
  }
  throw std::runtime_error{"nothing was thrown"};
}

template <class Call>
Kind kind_of(const Call& call) {
  return failure_of(call).kind();
}

std::vector<std::string> paths_of(const std::vector<ws::PlannedStep>& steps) {
  std::vector<std::string> paths;
  paths.reserve(steps.size());
  for (const ws::PlannedStep& step : steps) {
    paths.push_back(step.path);
  }
  return paths;
}

}  // namespace

TEST_CASE("a plan tells what would be written, and writes that once") {
  const Host host{{{"a", "1\n"}, {"b", "1\n"}}};
  host.write_upper("a", "2\n");
  host.write_upper("d/e", "new\n");
  host.delete_in_view("b");
  const ws::Session session = host.session();
  ws::Plan plan = session.plan();
  CHECK(paths_of(plan.steps()) == std::vector<std::string>{"b", "d", "a", "d/e"});
  CHECK(plan.steps().front().action == "delete");
  CHECK(plan.conflicts().empty());
  CHECK(plan.sensitive().empty());
  CHECK(host.real("a") == "1\n");
  plan.check();
  CHECK(host.real("a") == "1\n");
  const ws::Applied done = plan.execute();
  CHECK(done.paths.size() == 4);
  CHECK(host.real("a") == "2\n");
  CHECK(!host.real("b"));
  CHECK(kind_of([&] { plan.execute(); }) == Kind::Invalid);
  CHECK(session.changes().empty());
  CHECK(session.plan().execute().id == 0);
}

TEST_CASE("what the project became after the plan is not overwritten") {
  const Host host{{{"a", "1\n"}}};
  host.write_upper("a", "2\n");
  ws::Plan plan = host.session().plan();
  host.write_real("a", "mine\n");
  const ws::Failure failure = failure_of([&] { plan.execute(); });
  CHECK(failure.kind() == Kind::Conflict);
  CHECK(failure.paths() == std::vector<std::string>{"a"});
  CHECK(!failure.written());
  CHECK(host.real("a") == "mine\n");
}

TEST_CASE("conflicts and sensitive changes are data until something is to be written") {
  const Host host{{{"a", "1\n"}}};
  host.forget_base_tree();
  host.write_upper("a", "2\n");
  host.write_real("a", "3\n");
  host.write_upper(".vscode/tasks.json", "{}\n");
  const ws::Session session = host.session();
  ws::Plan plan = session.plan();
  REQUIRE(plan.conflicts().size() == 1);
  CHECK(plan.conflicts()[0].path == "a");
  CHECK(!plan.conflicts()[0].why.empty());
  REQUIRE(!plan.sensitive().empty());
  CHECK(kind_of([&] { plan.check(); }) == Kind::Conflict);
  CHECK(kind_of([&] { plan.execute(); }) == Kind::Conflict);
  ws::ApplyOptions theirs;
  theirs.on_conflict = ws::OnConflict::Theirs;
  CHECK(kind_of([&] { session.plan(theirs).execute(); }) == Kind::Sensitive);
  CHECK(host.real("a") == "3\n");
  theirs.skip_sensitive = true;
  ws::Plan rest = session.plan(theirs);
  CHECK(!rest.left().empty());
  (void)rest.execute();
  CHECK(host.real("a") == "2\n");
  CHECK(!host.real(".vscode/tasks.json"));
}

TEST_CASE("a change after the patch was taken is not written") {
  const Host host{{{"a", "1\n"}}};
  host.write_upper("a", "2\n");
  const ws::Session session = host.session();
  CHECK(session.patch().find("+2\n") != std::string::npos);
  host.write_upper("a", "another\n");
  CHECK(kind_of([&] { session.plan().check(); }) == Kind::Unseen);
  CHECK(kind_of([&] { session.plan().execute(); }) == Kind::Unseen);
  CHECK(host.real("a") == "1\n");
}

TEST_CASE("paths are names, and an empty list of them is no way to say all") {
  CHECK(kind_of([] { (void)ws::Paths::only({}); }) == Kind::Invalid);
  for (const char* path : {"", "/a", "a/", "a//b", "./a", "a/..", "..", "."}) {
    CHECK(kind_of([path] { (void)ws::Paths::only({path}); }) == Kind::Invalid);
  }
  CHECK(kind_of([] { (void)ws::Paths::only({std::string{"a\0b", 3}}); }) == Kind::Invalid);
  CHECK(ws::Paths::all().names().empty());
  const Host host{{{"a", "1\n"}}};
  host.write_upper("*", "2\n");
  host.write_upper("ab", "2\n");
  const ws::Session session = host.session();
  CHECK(session.changes(ws::Paths::only({"*"})).size() == 1);
  CHECK(session.changes().size() == 2);
  CHECK(kind_of([&] { (void)session.changes(ws::Paths::only({"a*"})); }) == Kind::Nothing);
}

TEST_CASE("an undo and the history are of the project, and of this session alone by default") {
  const Host host{{{"a", "1\n"}}};
  host.write_upper("a", "2\n");
  const ws::Session session = host.session();
  CHECK(kind_of([&] { session.undo(); }) == Kind::Nothing);
  const ws::Applied done = session.plan().execute();
  const ws::Session other = ws::State::open().session(host.root(), "other");
  CHECK(kind_of([&] { other.undo(); }) == Kind::Nothing);
  CHECK(kind_of([&] { other.undo(done.id); }) == Kind::Nothing);
  const ws::Undone undone = session.undo();
  CHECK(undone.of == done.id);
  CHECK(undone.kept.empty());
  CHECK(host.real("a") == "1\n");
  const auto history = other.history();
  REQUIRE(history.size() == 2);
  CHECK(history[0].undoes == done.id);
  CHECK(history[1].undone);
  CHECK(history[1].agent == session.agent());
  CHECK(history[1].paths == 1);
}

TEST_CASE("a discard drops what was named, or all of the session") {
  const Host host{{{"a", "1\n"}}};
  host.write_upper("a", "2\n");
  host.write_upper("b", "2\n");
  const ws::Session session = host.session();
  CHECK(kind_of([&] { session.discard(ws::Paths::only({"c"})); }) == Kind::Nothing);
  CHECK(session.discard(ws::Paths::only({"a"})) == 1);
  CHECK(session.changes().size() == 1);
  CHECK(session.exists());
  CHECK(session.discard(ws::Paths::all()) == 0);
  CHECK(!session.exists());
  CHECK(kind_of([&] { session.discard(ws::Paths::all()); }) == Kind::NoSession);
  CHECK(host.real("a") == "1\n");
}

TEST_CASE("sinks are told of stages and steps; what they throw, and calls from them, end nothing") {
  const Host host{{{"a", "1\n"}}};
  host.write_upper("a", "2\n");
  std::vector<std::pair<ws::Stage, std::uint64_t>> stages;
  std::vector<Kind> kinds;
  ws::Sinks sinks;
  sinks.progress = [&](ws::Stage stage, std::uint64_t items) {
    stages.emplace_back(stage, items);
    kinds.push_back(kind_of([&] { (void)host.session(); }));
    throw std::runtime_error{"the sink's own"};
  };
  const ws::Session session = host.session(sinks);
  ws::Plan plan = session.plan();
  (void)plan.execute();
  CHECK(host.real("a") == "2\n");
  using Rows = std::vector<std::pair<ws::Stage, std::uint64_t>>;
  CHECK(stages == Rows{{ws::Stage::Opening, 0}, {ws::Stage::Reading, 0}, {ws::Stage::Writing, 1}});
  CHECK(kinds == std::vector<Kind>(3, Kind::Invalid));
}

TEST_CASE("what can be no session is refused before anything is looked for") {
  const Host host;
  const ws::State state = ws::State::open();
  CHECK(kind_of([&] { (void)state.session(host.root(), ""); }) == Kind::Invalid);
  CHECK(kind_of([&] { (void)state.session("/", "a"); }) == Kind::Invalid);
  CHECK(kind_of([&] { (void)state.session(state.path(), "a"); }) == Kind::Invalid);
  CHECK(kind_of([&] { (void)state.session(host.root() + "/none", "a"); }) == Kind::System);
  CHECK(kind_of([] { (void)ws::State::at("relative"); }) == Kind::Invalid);
  const ws::Session none = state.session(host.root(), "nobody");
  CHECK(!none.exists());
  CHECK(kind_of([&] { (void)none.changes(); }) == Kind::NoSession);
  CHECK(kind_of([&] { (void)none.patch(); }) == Kind::NoSession);
  CHECK(kind_of([&] { (void)none.plan(); }) == Kind::NoSession);
  CHECK(kind_of([&] { (void)none.start({}); }) == Kind::Invalid);
}

TEST_CASE("every kind of failure has a word of its own") {
  std::vector<std::string> words;
  for (int kind = 0; kind <= static_cast<int>(Kind::Trouble); ++kind) {
    words.emplace_back(ws::to_word(static_cast<Kind>(kind)));
  }
  std::sort(words.begin(), words.end());
  CHECK(std::adjacent_find(words.begin(), words.end()) == words.end());
  CHECK(std::string{ws::to_word(Kind::NoSession)} == "no-session");
}
