// SPDX-License-Identifier: MIT
// Commands that a set-up of agents' servers, tasks or hooks tells in pieces. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// One line for each command with its arguments, the directory in which it starts and its variables,
// as a shell would have them: "cd x && A=b go run ./cmd" of {"command": "go", "args": ["run",
// "./cmd"], "cwd": "x", "env": {"A": "b"}}. JSON, with comments as well, TOML and YAML, by a look
// at their signs alone, in one pass. Arguments have stand-ins for what would part them.
[[nodiscard]] std::string server_commands(std::string_view text);

}  // namespace shadow::sensitive
