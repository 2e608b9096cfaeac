// SPDX-License-Identifier: MIT
// run_and_apply PROJECT AGENT COMMAND...
// Runs a command in the agent's session, shows what it changed, and asks whether to apply it.
//   c++ -std=c++17 run_and_apply.cpp $(pkg-config --cflags --libs shadow)

#include <cstdio>
#include <string>
#include <vector>

#include <shadow/workspace.hpp>

namespace ws = shadow::workspace;

namespace {

bool confirmed() {
  std::fputs("Write this to the project? [y/N] ", stdout);
  std::fflush(stdout);
  const int answer = std::getchar();
  return answer == 'y' || answer == 'Y';
}

void list(const std::vector<ws::Change>& changes) {
  for (const ws::Change& change : changes) {
    const std::string& remark = change.conflict.empty() ? change.sensitive : change.conflict;
    std::printf("%c %s%s%s\n", "ADMT"[static_cast<int>(change.kind)], change.path.c_str(),
                remark.empty() ? "" : "  # ", remark.c_str());
  }
}

int run_and_apply(const std::string& project, const std::string& agent,
                  const std::vector<std::string>& command) {
  ws::Sinks sinks;
  sinks.note = [](const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); };
  const ws::Session session = ws::State::open(sinks).session(project, agent);
  if (const int status = session.start(command).wait(); status != 0) {
    std::fprintf(stderr, "the command ended with %d\n", status);
    return status;
  }
  list(session.changes());
  std::fputs(session.patch().c_str(), stdout);
  ws::Plan plan = session.plan();
  plan.check();  // a conflict or a sensitive change is a failure before anybody is asked
  if (plan.steps().empty() || !confirmed()) {
    std::puts("nothing was written");
    return 0;
  }
  const ws::Applied done = plan.execute();
  std::printf("wrote %zu paths; undo %lld takes them back\n", done.paths.size(),
              static_cast<long long>(done.id));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: run_and_apply PROJECT AGENT COMMAND...\n", stderr);
    return 2;
  }
  try {
    return run_and_apply(argv[1], argv[2], {argv + 3, argv + argc});
  } catch (const ws::Failure& failure) {
    std::fprintf(stderr, "%s: %s\n", ws::to_word(failure.kind()), failure.what());
    return 1;
  }
}
