// SPDX-License-Identifier: MIT
#include "base/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace shadow {

namespace {

// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  // A word of agent-made length would make the table huge and is no misspelling.
  constexpr std::size_t kLongest = 200;
  constexpr std::size_t kMost = 4;
  if (word.size() > kLongest) {
    return std::nullopt;
  }
  std::optional<std::string> best;
  std::size_t best_distance = std::min(1 + word.size() / 4, kMost);
  for (const std::string& candidate : candidates) {
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >
        best_distance) {
      continue;
    }
    const std::size_t found = edit_distance(word, candidate);
    if (found < best_distance || (found == best_distance && !best)) {
      best = candidate;
      best_distance = found;
    }
  }
  return best;
}

}  // namespace shadow
