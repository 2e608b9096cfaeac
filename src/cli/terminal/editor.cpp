// SPDX-License-Identifier: MIT
#include "cli/terminal/editor.hpp"

#include "shadow/error.hpp"

#include "base/data_bound.hpp"
#include "base/text.hpp"
#include "cli/terminal/environment.hpp"
#include "cli/terminal/text_file.hpp"

#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace shadow::cli {

namespace {

// $VISUAL is for terminals that can show a full screen.
bool terminal_is_dumb() {
  return environment("TERM").value_or("dumb") == "dumb";
}

}  // namespace

std::string editor_command() {
  for (const char* name : {"GIT_EDITOR", "VISUAL", "EDITOR"}) {
    std::string command = environment(name).value_or("");
    if (!command.empty() && !(name == std::string_view{"VISUAL"} && terminal_is_dumb())) {
      return command;
    }
  }
  return "vi";
}

std::string edit_text(const std::string& text) {
  constexpr std::size_t kMost = std::size_t{128} << 20U;
  const PrivateDir dir{"shadow-edit", "a directory for the editor"};
  const std::string path = dir.path() + "/hunk.diff";
  write_new_file(path, text);
  const std::string command = editor_command();
  // An ignored signal would stay ignored in the editor. system(3) sees to Ctrl-C and Ctrl-\.
  (void)std::signal(SIGPIPE, SIG_DFL);
  (void)std::signal(SIGXFSZ, SIG_DFL);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const WithoutDataBound unbound;
  const int status = std::system((command + ' ' + shell_quoted(path)).c_str());
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
  if (status != 0) {
    throw Error{"cannot edit the hunk: the editor " + quoted(command) + " failed",
                "GIT_EDITOR, VISUAL or EDITOR names another one"};
  }
  auto edited = read_text_file(path, kMost);
  if (!edited) {
    throw_errno("open " + quoted(path));
  }
  return *std::move(edited);
}

}  // namespace shadow::cli
