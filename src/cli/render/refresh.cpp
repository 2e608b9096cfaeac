// SPDX-License-Identifier: MIT
#include "cli/render/refresh.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <vector>

namespace shadow::cli {

namespace {

std::string line(const ReviewItem& item, std::string_view from, const std::string& remark,
                 bool color) {
  return fmt::format(
      "  {}  {}{}\n",
      painted(paint_of(item.change.kind), std::string{to_letter(item.change.kind)}, color),
      shown_path(item.change, from), remark.empty() ? "" : "  (" + remark + ")");
}

// One that the session does not change has no letter of its own.
std::string plain_line(const ReviewItem& item, std::string_view from) {
  return "  " + shown_path(item.change, from) + '\n';
}

std::string merge_remark(const ReviewItem& item, std::string_view from) {
  const std::string& partner = item.resolution.partner;
  return partner.empty() ? ""
                         : fmt::format("was {}, which the project changed",
                                       printable(relative_path(partner, from)));
}

// Files by the ignored path that they are at or below.
std::map<std::string, std::size_t> count_ignored(const std::vector<ReviewItem>& items) {
  std::map<std::string, std::size_t> files;
  for (const ReviewItem& item : items) {
    ++files[item.fold];
  }
  return files;
}

}  // namespace

std::string refresh_text(const RefreshReport& report, RefreshTense tense, bool color) {
  const std::string& from = report.place;
  const bool planned = tense == RefreshTense::Planned;
  std::string merged;
  std::string taken;
  for (const RefreshedPath& path : report.done) {
    (path.merged ? merged : taken) +=
        path.merged ? line(path.item, from, merge_remark(path.item, from), color)
                    : plain_line(path.item, from);
  }
  std::string left;
  for (const SkippedPath& path : report.left) {
    left += line(path.item, from, path.reason, color);
  }
  std::string text;
  if (!merged.empty()) {
    text += fmt::format("{} with the project's changes:\n{}", planned ? "to be merged" : "merged",
                        merged);
  }
  if (!taken.empty()) {
    text += fmt::format("{} the project:\n{}", planned ? "to be as in" : "as in", taken);
  }
  if (!left.empty()) {
    text += "in conflict, and left as it is:\n" + left;
  }
  if (!report.left_ignored.empty()) {
    text += "ignored and changed on both sides, and left as it is:\n";
  }
  for (const auto& [path, files] : count_ignored(report.left_ignored)) {
    text += fmt::format("  {}{}\n", printable(relative_path(path, from)),
                        files > 1 ? fmt::format("  ({} files)", files) : "");
  }
  return text.empty() ? "the session is up to date\n" : text;
}

Json refresh_json(const RefreshReport& report) {
  Json top;
  top["refreshed"] = Json::array();
  for (const RefreshedPath& path : report.done) {
    Json record;
    set_bytes(record, "path", path.item.change.path);
    record["how"] = path.merged ? "merged" : "as in the project";
    if (!path.item.resolution.partner.empty()) {
      set_bytes(record, "partner", path.item.resolution.partner.str());
    }
    top["refreshed"].push_back(std::move(record));
  }
  top["conflicts"] = Json::array();
  for (const SkippedPath& path : report.left) {
    Json record = to_json(path.item);
    record["reason"] = path.reason;
    top["conflicts"].push_back(std::move(record));
  }
  top["left_ignored"] = Json::array();
  for (const auto& [path, files] : count_ignored(report.left_ignored)) {
    Json record;
    set_bytes(record, "path", path);
    record["files"] = files;
    top["left_ignored"].push_back(std::move(record));
  }
  return top;
}

}  // namespace shadow::cli
