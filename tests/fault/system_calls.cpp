// SPDX-License-Identifier: MIT
// system-calls ONE_OPERATION apply|undo: lets strace(1) kill an apply, or the undo of one, at each
// of its system calls and make each fail in turn; after each, recovery must leave the project
// wholly before or wholly after.

#include "shadow/error.hpp"

#include "fault/scene.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using shadow::test::kDone;
using shadow::test::kFailed;
using shadow::test::kPartly;
using shadow::test::kUnfinished;
using shadow::test::Operation;
using shadow::test::Scene;

namespace {

constexpr int kSkip = 77;  // Meson's exit status for a test that cannot be done here

// Those that write, and those that a full disk, a bad one or a quota makes fail.
constexpr std::array kWriting{"write",      "pwrite64",   "fsync",   "fdatasync",       "syncfs",
                              "renameat2",  "openat",     "openat2", "mkdirat",         "unlinkat",
                              "ftruncate",  "fchmod",     "chmod",   "linkat",          "symlinkat",
                              "setxattr",   "fallocate",  "statx",   "copy_file_range", "faccessat",
                              "faccessat2", "getdents64", "read",    "pread64",         "getxattr",
                              "listxattr",  "readlinkat"};
constexpr std::array kErrors{"ENOSPC", "EIO", "EACCES", "EMFILE", "EROFS", "ENOMEM", "EDQUOT"};

// What is injected into, and how one_operation is asked for it.
struct Subject {
  const char* program;
  Operation operation;

  [[nodiscard]] const char* word() const { return operation == Operation::Undo ? "undo" : "apply"; }
  [[nodiscard]] bool undo() const { return operation == Operation::Undo; }
};

int points = 0;
int failures = 0;

// With a filter only the call in question stops the program; a tracer that is told of each costs
// most of the time. With one, strace 6.1 injects no signals.
int run_under_strace(const Subject& subject, const std::string& injection, const std::string& dir) {
  const std::size_t begin = injection.find('=') + 1;
  const std::string traced = "trace=" + injection.substr(begin, injection.find(':') - begin);
  const bool kills = injection.find(":signal=") != std::string::npos;
  std::vector<std::string> words{"strace", "-qq",  "-f", "-o",     "/dev/null",
                                 "-e",     traced, "-e", injection};
  if (!kills) {
    words.emplace_back("--seccomp-bpf");
  }
  words.insert(words.end(), {subject.program, subject.word(), dir});
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(null, STDERR_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  return shadow::sys::wait_for(child);
}

bool strace_works(const char* program) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(null, STDERR_FILENO);
    ::execlp("strace", "strace", "-qq", "-o", "/dev/null", "-e", "inject=syncfs:error=EIO", program,
             nullptr);
    ::_exit(127);
  }
  const int status = shadow::sys::wait_for(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 2;  // its own usage message
}

void judge(const Scene& scene, const Subject& subject, int status, const std::string& injection) {
  const int recovered = scene.perform_in_child(Operation::Recover, "");
  const std::string outcome = scene.outcome(subject.undo());
  const bool whole = outcome == "before" || outcome == "after";
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const bool as_told = code != kPartly &&
                       !((code == kDone || code == kUnfinished) && outcome != "after") &&
                       !(code == kFailed && outcome != "before");
  if (recovered != 0 || !whole || !as_told) {
    ++failures;
    std::printf("FAILED %s: status %d, recovery %d: %s\n", injection.c_str(), status, recovered,
                outcome.c_str());
    std::fflush(stdout);
  }
}

// At the first, second, ... of these calls, until there is none.
void inject_everywhere(Scene& scene, const Subject& subject, const std::string& call,
                       std::string_view what) {
  int in_a_row = 0;
  for (std::size_t pass = 1;; ++pass) {
    std::string injection = "inject=";
    injection += call;
    injection += ':';
    injection += what;
    if (what == "error") {
      injection += '=';
      injection += kErrors.at(pass % kErrors.size());
    }
    injection += ":when=" + std::to_string(pass);
    scene.reset(subject.undo());
    const int status = run_under_strace(subject, injection, scene.dir());
    constexpr std::size_t kMostOfACall = 2000;
    if (pass > kMostOfACall) {
      ++failures;  // the program, or strace itself, does not even begin
      std::printf("FAILED %s: no end of the calls, status %d\n", injection.c_str(), status);
      return;
    }
    judge(scene, subject, status, injection);
    // A failure that does no harm (an optional ioctl, say) ends in success too; the call's last
    // occurrence is behind us when that happens a few times in a row.
    constexpr int kHarmless = 12;
    in_a_row = WIFEXITED(status) && WEXITSTATUS(status) == kDone ? in_a_row + 1 : 0;
    if (in_a_row == (what == "error" ? kHarmless : 1)) {
      return;
    }
    ++points;
  }
}

int run(const Subject& subject) {
  if (!strace_works(subject.program)) {
    std::puts("skipped: strace(1) is missing or may not trace here");
    const bool no_skip = shadow::sys::environment("SHADOW_TEST_NO_SKIP").has_value();
    return no_skip ? EXIT_FAILURE : kSkip;
  }
  const std::string base = shadow::test::fast_scratch_base();
  ::setenv("TMPDIR", base.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  const shadow::test::Scratch scratch;
  Scene scene{scratch.path()};
  for (const char* call : kWriting) {
    inject_everywhere(scene, subject, call, "error");
    inject_everywhere(scene, subject, call, "signal=KILL");
  }
  // A filesystem whose rename knows no flags, for the whole of an apply.
  scene.reset(subject.undo());
  judge(scene, subject, run_under_strace(subject, "inject=renameat2:error=EINVAL", scene.dir()),
        "renameat2 without flags");
  std::printf("killed or failed at %d system calls, %d torn or left behind\n", points, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: system-calls ONE_OPERATION apply|undo\n", stderr);
    return 2;
  }
  try {
    const bool undo = std::string_view{words[2]} == "undo";
    return run({words[1], undo ? Operation::Undo : Operation::Apply});
  } catch (const shadow::Error& error) {
    std::printf("FAILED: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
