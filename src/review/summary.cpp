// SPDX-License-Identifier: MIT
#include "shadow/patch.hpp"

#include "review/content.hpp"
#include "review/rows.hpp"
#include "review/text_diff.hpp"

#include <algorithm>
#include <utility>

namespace shadow {
namespace {

using review::Row;

struct Counts {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  bool binary = false;
  bool equal = false;
};

Counts count_lines(const Row& row, std::uint64_t most_bytes) {
  Counts counts;
  if (review::stays_unread(row, most_bytes)) {
    counts.binary = true;
    return counts;
  }
  const auto read = [&](const review::FileVersion& side, std::uint32_t mode) {
    return mode == 0 ? std::optional<std::string>{} : review::read_content(side, most_bytes);
  };
  const std::optional<std::string> before = read(row.before, row.old_mode);
  const std::optional<std::string> after = read(row.after, row.new_mode);
  if (before == after) {
    counts.equal = true;
    counts.binary = review::starts_binary(row.after);
    return counts;
  }
  review::DiffEvents events;
  events.binary = [&] { counts.binary = true; };
  events.line = [&](char origin, std::string_view) {
    counts.added += origin == '+' ? 1U : 0U;
    counts.removed += origin == '-' ? 1U : 0U;
  };
  review::diff_contents(before, after, {0, most_bytes}, events);
  return counts;
}

Counts count_row(const Row& row, std::uint64_t most_bytes) {
  if (!row.content_changed) {
    Counts none;
    none.equal = true;
    none.binary = review::starts_binary(row.after);
    return none;
  }
  if (row.letter != 'T') {
    return count_lines(row, most_bytes);
  }
  Row deletion = row;
  deletion.new_mode = 0;
  Row creation = row;
  creation.old_mode = 0;
  Counts counts = count_lines(deletion, most_bytes);
  const Counts created = count_lines(creation, most_bytes);
  counts.added += created.added;
  counts.binary = counts.binary || created.binary;
  return counts;
}

}  // namespace

std::vector<FileSummary> summarize(const std::vector<PatchFile>& files, const PatchOptions& options,
                                   CountLines count) {
  std::vector<FileSummary> result;
  for (const Row& row : review::make_rows(files, options)) {
    FileSummary summary;
    summary.letter = row.letter;
    summary.path = row.path();
    if (row.letter == 'R') {
      summary.old_path = row.old_path();
      summary.similarity = row.similarity;
    }
    summary.old_mode = row.old_mode;
    summary.new_mode = row.new_mode;
    summary.old_size = row.old_mode == 0 ? 0 : review::content_size(row.before);
    summary.new_size = row.new_mode == 0 ? 0 : review::content_size(row.after);
    if (count == CountLines::Yes) {
      const Counts counts = count_row(row, options.max_text_bytes);
      if (counts.equal && row.letter == 'M' && row.old_mode == row.new_mode) {
        continue;  // as in write_patch: nothing to show
      }
      summary.added = counts.added;
      summary.removed = counts.removed;
      summary.binary = counts.binary;
      summary.same_content = counts.equal || row.similarity == 100;
    }
    result.push_back(std::move(summary));
  }
  return result;
}

}  // namespace shadow
