// SPDX-License-Identifier: MIT
#include "support/process.hpp"

#include "shadow/error.hpp"

#include "support/scratch.hpp"
#include "sys/processes/process.hpp"

#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::test {

Outcome run(const std::vector<std::string>& argv, const std::string& cwd, std::string_view input,
            const std::string& home) {
  // Files, not pipes: nobody has to read and write at the same time.
  const Scratch files;
  write_file(files / "in", input);
  const pid_t child = ::fork();
  if (child < 0) {
    throw_errno("fork");
  }
  if (child == 0) {
    const int in = ::open((files / "in").c_str(), O_RDONLY);
    const int out = ::open((files / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = ::open((files / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0 ||
        ::chdir(cwd.c_str()) != 0) {
      ::_exit(127);
    }
    ::setenv("HOME", home.c_str(), 1);
    ::unsetenv("XDG_CONFIG_HOME");
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("GIT_CEILING_DIRECTORIES", "/tmp", 1);
    ::setenv("LC_ALL", "C", 1);
    std::vector<char*> words;
    words.reserve(argv.size() + 1);
    for (const std::string& word : argv) {
      words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  const int status = sys::wait_for(child);
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(files / "out");
  outcome.err = read_file(files / "err");
  return outcome;
}

}  // namespace shadow::test
