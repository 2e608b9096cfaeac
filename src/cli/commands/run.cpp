// SPDX-License-Identifier: MIT
#include "cli/commands/run.hpp"

#include "shadow/error.hpp"

namespace shadow::cli {

int run_command(const GlobalOptions& /*global*/, const RunOptions& /*options*/) {
  throw Error{"cannot run anything: this build has no sandbox", {}, ExitCode::NotStarted};
}

int run_shell(const GlobalOptions& /*global*/, const ShellOptions& /*options*/) {
  throw Error{"cannot run anything: this build has no sandbox", {}, ExitCode::NotStarted};
}

}  // namespace shadow::cli
