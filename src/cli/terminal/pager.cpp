// SPDX-License-Identifier: MIT
#include "cli/terminal/pager.hpp"

#include "base/data_bound.hpp"
#include "base/git_config_text.hpp"
#include "cli/terminal/environment.hpp"
#include "cli/terminal/text_file.hpp"

#include <csignal>
#include <cstdlib>
#include <utility>

#include <sys/wait.h>

namespace shadow::cli {

namespace {

std::optional<std::string> user_core_pager() {
  constexpr std::size_t kMost = 1U << 20U;
  const std::string home = environment("HOME").value_or("");
  const std::string set = environment("XDG_CONFIG_HOME").value_or("");
  const std::string base = set.empty() ? home + "/.config" : set;  // as git takes it
  std::optional<std::string> found;
  // git reads both, and the later one wins.
  for (const std::string& path : {base + "/git/config", home + "/.gitconfig"}) {
    if (auto pager = core_pager(read_text_file(path, kMost).value_or(""))) {
      found = std::move(pager);
    }
  }
  return found;
}

}  // namespace

std::optional<std::string> core_pager(std::string_view config) {
  std::optional<std::string> found;
  for (GitConfigEntry& entry : parse_git_config_text(config).entries) {
    if (entry.section == "core" && !entry.subsection && entry.key == "pager" && entry.value) {
      found = std::move(entry.value);
    }
  }
  return found;
}

std::optional<std::string> pager_command() {
  std::optional<std::string> command = environment("SHADOW_PAGER");
  if (!command) {
    command = environment("GIT_PAGER");
  }
  if (!command) {
    command = user_core_pager();
  }
  if (!command) {
    command = environment("PAGER");
  }
  if (!command) {
    command = "less";
  }
  return command->empty() || *command == "cat" ? std::nullopt : command;
}

Pager::Pager(std::string command) : command_{std::move(command)} {
  // As git does: quit when it fits one screen, colours as they are, no clearing.
  (void)::setenv("LESS", "FRX", 0);  // NOLINT(concurrency-mt-unsafe): before any thread
  (void)::setenv("LV", "-c", 0);     // NOLINT(concurrency-mt-unsafe): before any thread
  (void)std::fflush(stdout);
  // The pager itself must end by SIGPIPE when what it feeds goes away.
  (void)std::signal(SIGPIPE, SIG_DFL);
  (void)std::signal(SIGXFSZ, SIG_DFL);
  const WithoutDataBound unbound;
  pipe_ = ::popen(command_.c_str(), "w");
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

Pager::~Pager() {
  (void)close();
}

bool Pager::close() {
  constexpr int kNotRun = 126;
  constexpr int kNotFound = 127;
  if (pipe_ == nullptr) {
    return true;
  }
  // Ctrl-C is the pager's while it has the terminal.
  (void)std::signal(SIGINT, SIG_IGN);
  const int status = ::pclose(std::exchange(pipe_, nullptr));
  (void)std::signal(SIGINT, SIG_DFL);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code != kNotRun && code != kNotFound;
}

}  // namespace shadow::cli
