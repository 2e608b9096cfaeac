// SPDX-License-Identifier: MIT
#include "review/rows.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "git/objects/tree_entry.hpp"
#include "review/renames.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstddef>

namespace shadow::review {
namespace {

char letter_of(std::uint32_t old_mode, std::uint32_t new_mode) {
  if (old_mode == 0) {
    return 'A';
  }
  if (new_mode == 0) {
    return 'D';
  }
  return (old_mode == git::kLinkMode) == (new_mode == git::kLinkMode) ? 'M' : 'T';
}

Row make_row(const PatchFile& file) {
  const std::uint32_t old_mode = git_mode(file.before);
  const std::uint32_t new_mode = git_mode(file.after);
  Row row{letter_of(old_mode, new_mode), before_of(file), after_of(file), old_mode, new_mode};
  row.content_changed = row.letter != 'M' || file.content_changed;
  return row;
}

}  // namespace

std::vector<Row> make_rows(const std::vector<PatchFile>& files, const PatchOptions& options) {
  for (const PatchFile& file : files) {
    if (!sys::is_plain_relative(file.path)) {
      throw Error{"cannot make a patch of " + quoted(file.path) + ": not a relative path"};
    }
  }
  std::vector<Row> rows;
  rows.reserve(files.size());
  std::vector<bool> moved(files.size(), false);
  for (const Rename& rename : find_renames(files, options)) {
    const PatchFile& from = files[rename.from];
    const PatchFile& to = files[rename.to];
    rows.push_back({'R', before_of(from), after_of(to), git_mode(from.before), git_mode(to.after),
                    rename.similarity});
    moved[rename.from] = true;
    moved[rename.to] = true;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const PatchFile& file = files[i];
    if (moved[i] || (git_mode(file.before) == 0 && git_mode(file.after) == 0)) {
      continue;
    }
    const Row row = make_row(file);
    if (row.content_changed || row.old_mode != row.new_mode) {
      rows.push_back(row);
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.path() < b.path(); });
  return rows;
}

bool stays_unread(const FileVersion& side, std::uint32_t mode, std::size_t most_text) {
  constexpr std::uint64_t kMostRead = std::uint64_t{8} << 20U;
  const std::uint64_t size = mode == 0 ? 0 : content_size(side);
  return size > most_text || (size > kMostRead && !side.content->bytes && starts_binary(side));
}

bool stays_unread(const Row& row, std::size_t most_text) {
  return stays_unread(row.before, row.old_mode, most_text) ||
         stays_unread(row.after, row.new_mode, most_text);
}

}  // namespace shadow::review
