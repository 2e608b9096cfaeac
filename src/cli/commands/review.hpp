// SPDX-License-Identifier: MIT
// The commands of shadow-review, one file each in this directory. Each returns the exit status.

#pragma once

#include "shadow/error.hpp"

#include "cli/output/context.hpp"

namespace shadow::cli {

ExitCode status(const StatusOptions& options, Context& context);
ExitCode diff(const DiffOptions& options, Context& context);
ExitCode apply(const ApplyOptions& options, Context& context);
ExitCode undo(const UndoOptions& options, Context& context);
ExitCode refresh(const RefreshOptions& options, Context& context);
ExitCode discard(const DiscardOptions& options, Context& context);
ExitCode list(const ListOptions& options, Context& context);
ExitCode log(const LogOptions& options, Context& context);
ExitCode show(const ShowOptions& options, Context& context);
ExitCode doctor(const DoctorOptions& options, Context& context);
ExitCode gc(const GcOptions& options, Context& context);
ExitCode completion(const CompletionOptions& options, Context& context);

}  // namespace shadow::cli
