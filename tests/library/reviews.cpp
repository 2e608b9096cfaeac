// SPDX-License-Identifier: MIT
// A review by somebody else's program: all that the command line shows and asks, by the headers
// that are installed and the library alone. Arguments: the state and the project, which has the
// file a.txt with a line.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <shadow/workspace.hpp>

namespace ws = shadow::workspace;

namespace {

void require(bool holds, const char* what) {
  if (!holds) {
    std::printf("not so: %s\n", what);
    std::exit(1);
  }
}

std::string shown(ws::Showing showing) {
  std::string text;
  showing.write({}, [&text](shadow::PatchPart, std::string_view piece) { text += piece; });
  showing.finish();
  return text;
}

struct Enough {};

void looks(const ws::Project& project, const ws::Review& review) {
  const shadow::StatusReport status = review.status();
  require(status.items.size() == 2 && status.session.agent == "agent", "a status");
  require(shadow::to_letter(status.items[0].change.kind) == 'M', "in git's letters");
  require(shadow::fold_ignored(shadow::borrowed(status.items)).empty(), "of what is not ignored");
  const std::vector<shadow::LoggedRun> runs = review.runs(ws::Paths::only({"b.txt"}));
  require(runs.size() == 1, "the run that wrote a file");
  require(project.find_run(runs[0].run.id)->changes.size() == 2, "and what else it wrote");

  const ws::Changes changes = review.changes();
  require(changes.summarize({}, shadow::CountLines::Yes)[0].added == 1, "lines are counted");
  require(changes.have_patch() && changes.new_repositories().empty(), "files have a patch");
  const std::string patch = shown(changes.show());
  require(patch.find("+two\n") != std::string::npos, "which is shown");
  bool ended = false;
  try {
    changes.write_patch({}, [](shadow::PatchPart, std::string_view) { throw Enough{}; });
  } catch (const Enough&) {
    ended = true;
  }
  require(ended, "until the one who reads has enough");
  require(review.commits().list().empty() && review.plan_refresh().done.empty(), "nothing else");
}

// Takes the first change, and of it what the person sees.
void applies_a_part(const ws::Project& project, const ws::Review& review) {
  const ws::ApplyParts parts = review.parts_to_apply();
  require(parts.size() == 2 && parts.at(0).item.change.path == "a.txt", "two changes are offered");
  std::string text;
  shadow::DecidedParts decided{0, parts.of(0, text)};
  require(text == "one\n" && decided.parts.size() == 1, "one with a hunk of its text");
  const shadow::Hunk& hunk = decided.parts[0].hunk;
  std::string lines;
  shadow::write_hunk(hunk, [&](shadow::PatchPart, std::string_view piece) { lines += piece; });
  const auto edited = shadow::edited_hunk(hunk, lines, shadow::PickFor::Apply, text);
  require(edited && edited->lines.size() == hunk.lines.size(), "that can be edited");
  bool refused = false;
  try {
    (void)shadow::edited_hunk(hunk, "+two\n", shadow::PickFor::Apply, text);
  } catch (const ws::Failure& failure) {
    refused = failure.kind() == ws::Kind::Invalid;
  }
  require(refused, "as long as it fits the text");
  decided.parts[0].seen = true;
  decided.parts[0].decision = shadow::Decision::Taken;
  ws::Plan plan = parts.plan({decided});
  require(plan.promotion().chosen.taken.size() == 1 && plan.writes_anything(), "it is planned");
  require(plan.execute().paths.size() == 1, "and written");

  const ws::Reversal reversal = project.plan_undo(std::nullopt, "agent");
  require(reversal.plan().of.id == project.history().front().id, "the undo is of that");
  require(reversal.execute().files.session.pending == 1, "and gives it back to the session");
}

void drops(const ws::Review& review) {
  const ws::DiscardPlan plan = review.plan_discard(ws::Paths::matching({"*.txt", ":!a.txt"}));
  require(plan.items().size() == 1 && plan.items()[0].change.path == "b.txt", "one is dropped");
  plan.execute();
  require(review.parts_to_discard().size() == 1, "one is left");
  review.end_runs();
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 3, "two arguments");
  try {
    int stages = 0;
    ws::Sinks sinks;
    sinks.progress = [&stages](ws::Stage, std::uint64_t) {
      ++stages;
      throw Enough{};
    };
    const ws::State state = ws::State::at(argv[1], sinks);
    const ws::Session session = state.session(argv[2], "agent");
    require(session.start({"sh", "-c", "echo two >>a.txt; echo new >b.txt"}).wait() == 0, "a run");
    const ws::Project project = state.project(argv[2]);
    const ws::Review review = project.review();
    looks(project, review);
    applies_a_part(project, review);
    drops(review);
    require(state.sessions(std::chrono::milliseconds{0}).size() == 1, "the session is in the list");
    require(state.collect_garbage(shadow::GcMode::DryRun).sessions.empty(), "and no garbage");
    require(shadow::worst(state.examine(argv[2])) != shadow::Health::Cannot, "runs work here");
    project.discard({project.find_session()});
    require(project.sessions().empty(), "until it is removed");
    require(stages > 0, "a sink that throws ends nothing");
  } catch (const ws::Failure& failure) {
    std::printf("%s: %s\n", ws::to_word(failure.kind()), failure.what());
    return 1;
  }
  std::puts("well");
  return 0;
}
