// SPDX-License-Identifier: MIT
#include "cli/review.hpp"

#include "shadow/error.hpp"
#include "shadow/failure.hpp"

#include "cli/commands/review.hpp"
#include "cli/output/context.hpp"
#include "cli/output/patiently.hpp"
#include "cli/program.hpp"
#include "cli/terminal/terminal.hpp"

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

  int operator()(const ApplyOptions& options) const {
    return patiently([&] { return done(apply(options, context)); },
                     [&] { return context.out.begun(); });
  }
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

// The library has more kinds of failure than there are exit statuses: see shadow(1).
ExitCode exit_code(workspace::Kind kind) {
  using workspace::Kind;
  switch (kind) {
    case Kind::Nothing:
      return ExitCode::No;
    case Kind::Conflict:
      return ExitCode::Conflict;
    case Kind::Sensitive:
    case Kind::Unseen:
    case Kind::Stale:
    case Kind::Busy:
      return ExitCode::Refused;
    case Kind::NotStarted:
      return ExitCode::NotStarted;
    case Kind::NoSession:
    case Kind::Invalid:
    case Kind::Inside:
    case Kind::System:
    case Kind::Trouble:
      break;
  }
  return ExitCode::Trouble;
}

}  // namespace

int review(const std::vector<std::string>& words, Glance& seen,
           const std::function<void(Needs needs)>& prepare) {
  seen = glance(words);
  const Command command = parse(words);
  seen.agent = command.global.agent;
  // The doctor goes on where there is no place for the state, and says so; a shell that starts does
  // not have to hear of it.
  prepare(std::holds_alternative<PrintText>(command.verb) ||
                  std::holds_alternative<DoctorOptions>(command.verb) ||
                  std::holds_alternative<CompletionOptions>(command.verb)
              ? Needs::Nothing
              : Needs::State);
  Context context{command.global, Output{}, use_color(command.global.color)};
  try {
    return std::visit(Dispatch{context}, command.verb);
  } catch (const workspace::Failure& failure) {
    seen.agent = failure.hint().empty() ? std::nullopt : context.agent_to_name();
    throw Error{failure.what(), failure.hint(), exit_code(failure.kind()), failure.paths()};
  } catch (const Error& error) {
    seen.agent = error.hint().empty() ? std::nullopt : context.agent_to_name();
    throw;
  }
}

}  // namespace shadow::cli
