// SPDX-License-Identifier: MIT
#include "cli/render/status.hpp"

#include "shadow/error.hpp"
#include "shadow/failure.hpp"

#include "cli/commands/review.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

namespace shadow::cli {

namespace {

std::string text_of_status(const StatusOptions& options, const Context& context) {
  const StatusReport report = context.open().status(workspace::Paths::matching(options.paths));
  if (context.global.json) {
    return status_json(report).line();
  }
  if (options.porcelain || options.null_terminated) {
    return status_porcelain(report, options.null_terminated ? LineEnd::Nul : LineEnd::Newline);
  }
  return status_text(report, context.color, context.global.agent);
}

// In the place of what is on the screen, and no longer than that: ECMA-48's CUP, EL and ED.
std::string on_screen(std::string_view text, std::size_t rows) {
  std::string screen = "\x1b[H";
  std::size_t row = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (row == rows) {
      screen += "...\x1b[K";
      break;
    }
    screen += fmt::format("{}\x1b[K\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++row;
  }
  return screen + "\x1b[J";
}

// A path without a change is one that may get some.
std::string text_to_watch(const StatusOptions& options, const Context& context) {
  try {
    return text_of_status(options, context);
  } catch (const workspace::Failure& failure) {
    if (failure.kind() != workspace::Kind::Nothing || context.global.json) {
      throw;
    }
    return fmt::format("{}\n", failure.what());
  }
}

// Until the session is gone, or the user has enough.
void watch(const StatusOptions& options, Context& context) {
  workspace::Watch changes = context.open().watch();
  if (!changes.complete()) {
    print_note(
        "not all directories can be watched (fs.inotify.max_user_watches): looking every 2 s as "
        "well");
  }
  const bool screen = stdout_is_terminal() && !context.global.json;
  std::string shown;
  for (;; changes.wait()) {
    std::string text;
    try {
      text = text_to_watch(options, context);
    } catch (const workspace::Failure& failure) {
      if (failure.kind() != workspace::Kind::NoSession || shown.empty()) {
        throw;
      }
      print_note("the session was discarded");
      return;
    }
    if (text == shown) {
      continue;
    }
    shown = std::move(text);
    context.out.write(screen ? on_screen(shown, terminal_height()) : shown);
    context.out.flush();
  }
}

}  // namespace

ExitCode status(const StatusOptions& options, Context& context) {
  if (context.global.json && (options.porcelain || options.null_terminated)) {
    throw Error{"cannot print several formats at once", "give --json, or --porcelain or -z"};
  }
  if (!options.watch) {
    context.out.write(text_of_status(options, context));
    return ExitCode::Ok;
  }
  if (options.porcelain || options.null_terminated) {
    throw Error{"cannot watch with --porcelain or -z",
                "--json prints a line whenever something changes"};
  }
  watch(options, context);
  return ExitCode::Ok;
}

}  // namespace shadow::cli
