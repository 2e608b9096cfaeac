// SPDX-License-Identifier: MIT
// The frame of both programs around a command: turns exceptions into a sentence, a hint and an exit
// status. Nobody else prints errors.

#pragma once

#include "shadow/error.hpp"

#include "cli/parser/options.hpp"
#include "cli/parser/parser.hpp"

#include <functional>
#include <string>

namespace shadow::cli {

// Calls `work`, which returns the exit status; prints what it throws.
int guarded(const Glance& seen, const std::function<int()>& work);

// Prints what --help and --version print.
int print_text(const PrintText& print);

// "shadow: cannot ...\nhint: ...\n", or the JSON record of an error.
[[nodiscard]] std::string error_text(const Error& error, bool json);

// The exit status of a failure: `run` and `shell` report their own with 125, so that it cannot be
// taken for the command's; 126 and 127 (not executable, not found) they choose themselves.
[[nodiscard]] int exit_status(const Error& error, const std::string& verb);

}  // namespace shadow::cli
