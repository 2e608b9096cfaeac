// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "cli/commands/review.hpp"
#include "cli/launcher.hpp"
#include "cli/output/context.hpp"
#include "cli/parser/parser.hpp"
#include "cli/program.hpp"
#include "cli/terminal/terminal.hpp"
#include "follow/follow.hpp"
#include "session/directory/background.hpp"
#include "sys/namespaces/own_namespace.hpp"
#include "sys/processes/memory_bound.hpp"
#include "upkeep/clean_up.hpp"
#include "upkeep/keep_bases.hpp"
#include "upkeep/reserve.hpp"
#include "upkeep/tally.hpp"

#include <algorithm>
#include <csignal>
#include <variant>

namespace shadow::cli {

namespace {

struct Dispatch {
  Context& context;

  int operator()(const PrintText& print) const { return print_text(print); }
  int operator()(const StatusOptions& options) const { return done(status(options, context)); }
  int operator()(const DiffOptions& options) const { return done(diff(options, context)); }
  int operator()(const ListOptions& options) const { return done(list(options, context)); }
  int operator()(const LogOptions& options) const { return done(log(options, context)); }
  int operator()(const ShowOptions& options) const { return done(show(options, context)); }

  int operator()(const ApplyOptions& options) const { return done(apply(options, context)); }
  int operator()(const UndoOptions& options) const { return done(undo(options, context)); }
  int operator()(const RefreshOptions& options) const { return done(refresh(options, context)); }
  int operator()(const DiscardOptions& options) const { return done(discard(options, context)); }
  int operator()(const DoctorOptions& options) const { return done(doctor(options, context)); }
  int operator()(const GcOptions& options) const { return done(gc(options, context)); }
  int operator()(const CompletionOptions& options) const {
    return done(completion(options, context));
  }

  // `run` and `shell`, which the other program does.
  template <class Options>
  int operator()(const Options& /*options*/) const {
    throw Error{"cannot run commands: this is the reviewing half of shadow",
                "start 'shadow' instead of 'shadow-review'"};
  }

  [[nodiscard]] int done(ExitCode code) const {
    context.out.flush();
    return static_cast<int>(code);
  }
};

}  // namespace

int review(int argc, char** argv) {
  Glance seen;
  return guarded(seen, [&] {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    // A session may be larger than what there is to look at it with.
    sys::bound_memory();
    if (words.size() == 2 && words[0] == session::kKeepBases) {
      upkeep::keep_bases(StateDir::open(), words[1]);
      return 0;
    }
    if (words.size() == 2 && words[0] == session::kFollow) {
      follow::follow_project(StateDir::open(), words[1]);
      return 0;
    }
    if (words.size() >= 2 && words[0] == session::kCount) {
      (void)sys::enter_own_user_namespace();
      upkeep::count_sessions(StateDir::open(), {words.begin() + 1, words.end()});
      return 0;
    }
    if (words.size() == 2 && words[0] == session::kCleanUp) {
      (void)sys::enter_own_user_namespace();
      upkeep::clean_up_as_told(StateDir::open(), words[1]);
      return 0;
    }
    seen = glance(words);
    const Command command = parse(words);
    // A reader that goes away must not end an apply halfway: writing to it fails instead.
    (void)std::signal(SIGPIPE, SIG_IGN);
    // Files of mode 0 are part of a session too; where the kernel refuses, they are reported.
    (void)sys::enter_own_user_namespace();
    if (!std::holds_alternative<PrintText>(command.verb)) {
      upkeep::use_reserve_if_full(StateDir::open());
    }
    Context context{command.global, Output{}, use_color(command.global.color)};
    return std::visit(Dispatch{context}, command.verb);
  });
}

}  // namespace shadow::cli
