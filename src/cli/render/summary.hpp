// SPDX-License-Identifier: MIT
// `shadow diff` without a patch: --stat, --numstat, --name-only, --name-status, --json. Pure.

#pragma once

#include "shadow/patch_text.hpp"
#include "shadow/review.hpp"

#include "cli/parser/options.hpp"
#include "cli/render/json.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow::cli {

struct SummaryStyle {
  bool null_terminated = false;
  bool color = false;
  std::size_t width = 80;
};

// As git prints them.
[[nodiscard]] std::string stat_text(const std::vector<FileSummary>& files,
                                    const SummaryStyle& style);
[[nodiscard]] std::string numstat_text(const std::vector<FileSummary>& files,
                                       const SummaryStyle& style);
[[nodiscard]] std::string names_text(const std::vector<FileSummary>& files, DiffFormat format,
                                     const SummaryStyle& style);

// The items, sorted by path, are what the files show.
[[nodiscard]] JsonText summary_json(const std::vector<FileSummary>& files,
                                    const std::vector<ReviewItem>& items);

// "a/{b => c}/d": what two paths share is printed once.
[[nodiscard]] std::string rename_text(const std::string& from, const std::string& to);

}  // namespace shadow::cli
