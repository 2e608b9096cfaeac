// SPDX-License-Identifier: MIT
#include "base/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

namespace shadow {

namespace {

// Levenshtein's distance with swaps of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> next(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = row[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      next[j] = std::min({replace, row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        next[j] = std::min(next[j], above[j - 2] + 1);
      }
    }
    above = std::exchange(row, std::move(next));
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  // A word of agent-made length would make the table huge and is no misspelling.
  constexpr std::size_t kLongest = 200;
  constexpr std::size_t kMost = 4;
  constexpr std::size_t kShort = 6;  // two letters of so few make another word
  if (word.size() > kLongest) {
    return std::nullopt;
  }
  std::optional<std::string> best;
  std::size_t best_distance = word.size() <= kShort ? 1 : std::min(1 + word.size() / 4, kMost);
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

std::vector<std::string> begun_or_nearest(std::string_view word,
                                          const std::vector<std::string>& candidates) {
  constexpr std::size_t kFew = 4;
  std::vector<std::string> found;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(found),
               [word](const std::string& candidate) { return candidate.starts_with(word); });
  if (!found.empty() && !word.empty()) {
    return found.size() <= kFew ? found : std::vector<std::string>{};
  }
  const auto near = nearest(word, candidates);
  return near ? std::vector{*near} : std::vector<std::string>{};
}

std::string did_you_mean(const std::vector<std::string>& words) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += "'" + words[i] + "'";
  }
  return text + "?";
}

}  // namespace shadow
