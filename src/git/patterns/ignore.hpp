// SPDX-License-Identifier: MIT
// git's ignore rules, read as text and matched in bounded time; nothing of a repository is
// executed.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

class IgnoreRules {
 public:
  // Gives the text of a file of the view, nullopt when there is none. Asked for `.gitignore` files
  // only, at most once each, when first needed.
  using ReadText = std::function<std::optional<std::string>(const std::string& path)>;

  // The most that is read of one file of rules, by callers that hand texts to it.
  static constexpr std::uint64_t kMostBytes = 4U << 20U;

  // Gives the real index's paths, sorted, which are never ignored. Asked once, and only when a rule
  // would ignore something: an index is as large as the project. May be empty: nothing is tracked.
  using ReadTracked = std::function<std::vector<std::string>()>;

  // `excludes` are rule texts of lowest precedence first: the user's core.excludesFile, then the
  // real repository's info/exclude. `prefix` is where the paths that are asked about lie in the
  // repository, with a '/' at its end; those that are handed to the functions begin with it.
  IgnoreRules(ReadText read, const std::vector<std::string>& excludes, ReadTracked read_tracked,
              std::string prefix = {});
  IgnoreRules(const IgnoreRules&) = delete;
  IgnoreRules(IgnoreRules&&) noexcept;
  IgnoreRules& operator=(const IgnoreRules&) = delete;
  IgnoreRules& operator=(IgnoreRules&&) noexcept;
  ~IgnoreRules();

  // True if git would ignore the path: an excluded parent excludes everything below it, except
  // tracked files and the directories that hold one. Answers for directories are cached.
  [[nodiscard]] bool ignored(std::string_view path, bool directory);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shadow::git
