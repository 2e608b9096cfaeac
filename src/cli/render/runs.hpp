// SPDX-License-Identifier: MIT
// `shadow log` and `shadow show`. Pure.

#pragma once

#include "shadow/records.hpp"

#include "cli/render/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// "one of runs 14 to 17".
[[nodiscard]] std::string among_text(const RunRange& among);

// The words as a shell would read them, escaped.
[[nodiscard]] std::string command_text(const std::vector<std::string>& argv);

// "exit 0", "signal 15", "time-out", "still running", "unknown".
[[nodiscard]] std::string ending_text(const RunRecord& run, bool live);

// One line: number, when, how long, how it ended, files, command.
[[nodiscard]] std::string log_line(const LoggedRun& logged);

[[nodiscard]] std::string show_text(const ShownRun& shown, std::string_view from = {});
[[nodiscard]] Json show_json(const ShownRun& shown);

[[nodiscard]] Json run_json(const RunRecord& run);
[[nodiscard]] Json run_json(const LoggedRun& logged);

}  // namespace shadow::cli
