// SPDX-License-Identifier: MIT
// The agent programs that the profile `agent` knows, and where they keep login and settings.

#pragma once

#include "policy/policy.hpp"

#include <string>
#include <vector>

namespace shadow::policy {

struct AgentProgram {
  std::string name;                      // of its command
  std::vector<std::string> directories;  // home-relative
  std::vector<std::string> files;        // home-relative, JSON
  std::string variable{};                // of the environment: names another place
};

[[nodiscard]] const std::vector<AgentProgram>& agent_programs();

// Makes what this program keeps in the home and is not there yet, so that a first login in a run is
// made to the real place, as every later one: directories with mode 0700, files with 0600 and an
// empty JSON object. The program is the one that the command starts, also by way of npx and the
// like, or that the agent is called after; nothing for any other.
void make_agent_places(const std::string& home, const std::vector<std::string>& argv,
                       const std::string& agent);

// The directory below the home, relative to it, that the program's variable names, where it is not
// there yet and no part of the project or of the state; "" for any other.
[[nodiscard]] std::string missing_place_of_caller(const PolicyPlaces& places,
                                                  const std::vector<std::string>& argv,
                                                  const std::string& agent);

// Makes it, unless it leads to one of `secrets`, which are home-relative, or lies in one.
void make_place_of_caller(const std::string& home, const std::string& place,
                          const std::vector<std::string>& secrets);

// The directories that the caller's variables (CLAUDE_CONFIG_DIR, CODEX_HOME) name as the place of
// such a program, as for a second login: absolute ones, but for those that are or contain the home
// or the project.
[[nodiscard]] std::vector<std::string> agent_places_of_caller(const std::string& home,
                                                              const std::string& project);

}  // namespace shadow::policy
