// SPDX-License-Identifier: MIT
// Kills applies, undos and recoveries at every fail point, and makes every fail point an error,
// until one survives; after each, recovery must leave the project wholly before or wholly after.

#include "shadow/error.hpp"

#include "fault/scene.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/wait.h>

using shadow::test::kDone;
using shadow::test::kFailed;
using shadow::test::Operation;
using shadow::test::Scene;

namespace {

int points = 0;
int failures = 0;

std::string failure_at(int pass, const char* what) {
  return "*:" + std::to_string(pass) + '=' + what;
}

bool exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

// Recovers and judges; `status` is how the operation ended.
void judge(const Scene& scene, Operation operation, int status, const std::string& where) {
  const int recovered = scene.perform_in_child(Operation::Recover, "");
  const std::string outcome = scene.outcome(operation == Operation::Undo);
  const int again = scene.perform_in_child(Operation::Recover, "");
  const bool whole = outcome == "before" || outcome == "after";
  const bool as_told = !(exited_with(status, kDone) && outcome != "after") &&
                       !(exited_with(status, kFailed) && outcome != "before");
  const bool stable = scene.outcome(operation == Operation::Undo) == outcome;
  if (recovered != 0 || again != 0 || !whole || !as_told || !stable) {
    ++failures;
    std::printf("FAILED %s: status %d, recovery %d, then %d: %s\n", where.c_str(), status,
                recovered, again, outcome.c_str());
  }
}

void fail_everywhere(Scene& scene, Operation operation, const char* what) {
  for (int pass = 1;; ++pass) {
    scene.reset(operation == Operation::Undo);
    const int status = scene.perform_in_child(operation, failure_at(pass, what));
    judge(scene, operation, status, std::string{what} + " at " + std::to_string(pass));
    if (exited_with(status, kDone)) {
      return;
    }
    ++points;
  }
}

// Kills the recovery as well, at each of its points, of applies killed at every seventh.
void kill_recoveries(Scene& scene, Operation operation) {
  constexpr int kStride = 7;
  for (int pass = 1;; pass += kStride) {
    for (int second = 1;; ++second) {
      scene.reset(operation == Operation::Undo);
      const int status = scene.perform_in_child(operation, failure_at(pass, "kill"));
      if (exited_with(status, kDone)) {
        return;
      }
      const int recovery = scene.perform_in_child(Operation::Recover, failure_at(second, "kill"));
      judge(scene, operation, status,
            "kill at " + std::to_string(pass) + " and in recovery at " + std::to_string(second));
      if (!WIFSIGNALED(recovery)) {
        break;
      }
      ++points;
    }
  }
}

// Stops an apply at each point, lets somebody edit a file meanwhile, and goes on: the edit is at
// its path afterwards, whichever way the apply went.
void edit_meanwhile(Scene& scene, shadow::test::Edit edit) {
  for (int pass = 1;; ++pass) {
    scene.reset(false);
    const pid_t child = scene.start(Operation::Apply, failure_at(pass, "stop"));
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    if (!WIFSTOPPED(status)) {
      return;
    }
    ++points;
    const std::string path = scene.edit(edit);
    ::kill(child, SIGCONT);
    ::waitpid(child, &status, 0);
    const std::string outcome = scene.outcome_but_edit(edit, path);
    const bool as_told = exited_with(status, kFailed) ? outcome == "before" : outcome == "after";
    if (!as_told) {
      ++failures;
      std::printf("FAILED edit %d at %d: status %d: %s\n", static_cast<int>(edit), pass, status,
                  outcome.c_str());
    }
  }
}

}  // namespace

int main() {
  try {
    ::setenv("TMPDIR", shadow::test::fast_scratch_base().c_str(),
             1);  // NOLINT(concurrency-mt-unsafe): one thread
    const shadow::test::Scratch scratch;
    Scene scene{scratch.path()};
    for (const Operation operation : {Operation::Apply, Operation::Undo}) {
      for (const char* what : std::array{"kill", "ENOSPC", "EIO", "EACCES", "EROFS", "EDQUOT"}) {
        fail_everywhere(scene, operation, what);
      }
      kill_recoveries(scene, operation);
    }
    using shadow::test::Edit;
    for (const Edit edit : {Edit::InPlace, Edit::Replace, Edit::Delete, Edit::Create}) {
      edit_meanwhile(scene, edit);
    }
  } catch (const shadow::Error& error) {
    std::printf("FAILED: %s\n", error.what());
    return EXIT_FAILURE;
  }
  std::printf("killed or failed at %d points, %d torn or left behind\n", points, failures);
  return failures == 0 && points > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
