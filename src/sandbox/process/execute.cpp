// SPDX-License-Identifier: MIT
#include "sandbox/process/execute.hpp"

#include "base/text.hpp"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace shadow::sandbox {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words) {
    out.push_back(const_cast<char*>(word.c_str()));  // execve(2) takes char* and does not write
  }
  out.push_back(nullptr);
  return out;
}

const char* search_path(const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    if (variable.starts_with("PATH=")) {
      return variable.c_str() + std::string_view{"PATH="}.size();
    }
  }
  return "/usr/local/bin:/usr/bin:/bin";
}

// True if any directory of PATH has such a file. execvp reports EACCES as soon as one directory may
// not be searched, although the command is nowhere.
bool is_anywhere(const std::string& name, const std::string& path) {
  if (name.find('/') != std::string::npos) {
    return true;
  }
  for (std::string& file : split(path, ':')) {
    file.append("/").append(name);
    if (::access(file.c_str(), F_OK) == 0) {
      return true;
    }
  }
  return false;
}

// What to do about a program of the host's there, which a run does not see; "" for other places.
std::string advice_on(const std::string& file, const RunPlan& run, const SessionPlan& session) {
  const HomeView view = run.home_view.value_or(session.home_view);
  const bool of_own = view == HomeView::Private || view == HomeView::Allowed;
  if (of_own && !session.home.empty() && is_at_or_below(file, session.home)) {
    return "the host has " + quoted(file) + ", and the home of this run only a part of the real " +
           "one: show what the program needs with --ro PATH";
  }
  for (const char* own : {"/tmp", "/var/tmp"}) {
    if (is_at_or_below(file, own)) {
      return std::string{own} + " of a run is the session's, which has nothing of the host's: " +
             "put the program elsewhere, or show it with --ro " + shell_quoted(file);
    }
  }
  return {};
}

}  // namespace

int execute(const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  const std::vector<char*> words = pointers(argv);
  const std::vector<char*> variables = pointers(environment);
  // execvpe searches the PATH of this process, and the command's own may be another one.
  ::setenv("PATH", search_path(environment), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  ::execvpe(words[0], words.data(), variables.data());
  if (errno == EACCES && !is_anywhere(argv[0], search_path(environment))) {
    return ENOENT;
  }
  return errno;
}

ExitCode status_of_failure(int error) {
  return error == ENOENT || error == ENOTDIR ? ExitCode::NotFound : ExitCode::NotExecutable;
}

Error failure_to_execute(const std::string& command, int error, const std::string& hint) {
  const SysError why{error, "execute " + quoted(command)};
  return Error{why.what(), hint, status_of_failure(error)};
}

std::string advice_on_missing(const std::string& command, int error, const RunPlan& run,
                              const SessionPlan& session) {
  std::vector<std::string> files{command};
  if (command.find('/') == std::string::npos) {
    files = split(search_path(run.environment), ':');
    for (std::string& file : files) {
      file.append("/").append(command);
    }
  }
  for (const std::string& file : error == ENOENT ? files : std::vector<std::string>{}) {
    if (is_at_or_below(file, session.project) || ::access(file.c_str(), X_OK) != 0) {
      continue;
    }
    if (const std::string advice = advice_on(file, run, session); !advice.empty()) {
      return advice;
    }
  }
  return {};
}

}  // namespace shadow::sandbox
