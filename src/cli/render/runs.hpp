// SPDX-License-Identifier: MIT
// `shadow log` and `shadow show`. Pure.

#pragma once

#include "cli/render/json.hpp"
#include "store/tables/runs.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

struct LoggedRun {
  store::RunRow run;
  std::int64_t files = 0;
  bool live = false;
  std::vector<store::RunChange> unsure{};  // of the paths that were asked for
};

// "one of runs 14 to 17".
[[nodiscard]] std::string among_text(const store::RunRange& among);

// The words as a shell would read them, escaped.
[[nodiscard]] std::string command_text(const std::vector<std::string>& argv);

// "exit 0", "signal 15", "time-out", "still running", "unknown".
[[nodiscard]] std::string ending_text(const store::RunRow& run, bool live);

// One line: number, when, how long, how it ended, files, command.
// The real paths that the run's policy let it write to, outside of review.
[[nodiscard]] std::vector<std::string> writable_paths(const store::RunRow& run);
[[nodiscard]] std::string log_line(const LoggedRun& logged);

[[nodiscard]] std::string show_text(const LoggedRun& logged,
                                    const std::vector<store::RunChange>& changes,
                                    std::string_view from = {});

[[nodiscard]] Json among_json(const store::RunRange& among);
[[nodiscard]] Json run_json(const store::RunRow& run);
[[nodiscard]] Json run_json(const LoggedRun& logged);

}  // namespace shadow::cli
