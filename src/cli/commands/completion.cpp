// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/completion_scripts.hpp"

namespace shadow::cli {

ExitCode completion(const CompletionOptions& options, Context& context) {
  context.out.write(options.shell == "bash"  ? kBashCompletion
                    : options.shell == "zsh" ? kZshCompletion
                                             : kFishCompletion);
  return ExitCode::Ok;
}

}  // namespace shadow::cli
