// SPDX-License-Identifier: MIT
// one-operation apply|undo|recover DIR: one operation on a scene, to be run under strace(1).

#include "shadow/error.hpp"

#include "fault/scene.hpp"

#include <cstdio>
#include <string>

using shadow::test::Operation;

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: one-operation apply|undo|recover DIR\n", stderr);
    return 2;
  }
  const std::string verb = words[1];
  const Operation operation = verb == "apply"  ? Operation::Apply
                              : verb == "undo" ? Operation::Undo
                                               : Operation::Recover;
  try {
    return shadow::test::Scene{words[2]}.perform(operation);
  } catch (const shadow::Error&) {
    return shadow::test::kFailed;
  }
}
