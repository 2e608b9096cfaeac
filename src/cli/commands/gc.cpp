// SPDX-License-Identifier: MIT
#include "base/amounts.hpp"
#include "base/text.hpp"
#include "cli/commands/review.hpp"
#include "cli/render/status.hpp"

#include <fmt/format.h>

namespace shadow::cli {

namespace {

std::string text_of(const GcReport& report, GcMode mode) {
  const char* verb = mode == GcMode::DryRun ? "would remove" : "removed";
  std::string text;
  for (const SessionRecord& row : report.sessions) {
    text += fmt::format("{} {}\n", verb, session_title(row));
  }
  for (const SessionRecord& row : report.live) {
    text += fmt::format("left {}: it is live\n", session_title(row));
  }
  for (const SessionRecord& row : report.held) {
    text += fmt::format(
        "left {}: the project is gone, or another directory is in its place, and the session holds "
        "work; it is removed when it was not used for 'retention_days'\n",
        session_title(row));
  }
  const auto line = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) {
      text += fmt::format("{} {}: {}\n", verb, what, count);
    }
  };
  line(report.trash, "discarded directories");
  line(static_cast<std::uint64_t>(report.applies), "old applies, which cannot be undone any more");
  line(static_cast<std::uint64_t>(report.runs), "old runs from the log");
  line(report.blobs,
       fmt::format("contents that nothing refers to ({})", human_size(report.blob_bytes)));
  return text.empty() ? "nothing to remove\n" : text;
}

Json json_of(const GcReport& report) {
  Json top;
  top["sessions"] = Json::array();
  for (const SessionRecord& row : report.sessions) {
    top["sessions"].push_back(session_json(row));
  }
  top["live"] = Json::array();
  for (const SessionRecord& row : report.live) {
    top["live"].push_back(session_json(row));
  }
  top["held"] = Json::array();
  for (const SessionRecord& row : report.held) {
    top["held"].push_back(session_json(row));
  }
  top["applies"] = report.applies;
  top["runs"] = report.runs;
  top["trash"] = report.trash;
  top["blobs"] = report.blobs;
  top["blob_bytes"] = report.blob_bytes;
  return top;
}

}  // namespace

ExitCode gc(const GcOptions& options, Context& context) {
  const GcMode mode = options.dry_run ? GcMode::DryRun : GcMode::Remove;
  const GcReport report = open_state().collect_garbage(mode);
  if (context.global.json) {
    context.print(json_of(report));
  } else {
    context.out.write(text_of(report, mode));
  }
  return ExitCode::Ok;
}

}  // namespace shadow::cli
