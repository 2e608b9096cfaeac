// SPDX-License-Identifier: MIT
#include "git/patterns/ignore.hpp"

#include "git/patterns/ignore_pattern.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace shadow::git {
namespace {

using Patterns = std::vector<IgnorePattern>;

Patterns parse_patterns(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  Patterns patterns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto pattern = IgnorePattern::parse(text.substr(0, end))) {
      patterns.push_back(std::move(*pattern));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return patterns;
}

enum class RuleSays : std::uint8_t { None, Ignore, Keep };

// The last pattern that matches decides.
RuleSays judge(const Patterns& patterns, std::string_view path, bool directory) {
  const auto found =
      std::find_if(patterns.rbegin(), patterns.rend(),
                   [&](const IgnorePattern& pattern) { return pattern.matches(path, directory); });
  if (found == patterns.rend()) {
    return RuleSays::None;
  }
  return found->negative() ? RuleSays::Keep : RuleSays::Ignore;
}

// A .gitignore file with patterns in it, and the next one upwards.
struct Level {
  Patterns patterns;
  std::size_t prefix;  // length of its directory's path with the '/' after it
  const Level* above;
};

struct Directory {
  bool ignored = false;
  const Level* level = nullptr;  // the deepest at or above it; unused when ignored
};

}  // namespace

struct IgnoreRules::State {
  ReadText read;
  std::string top;                 // where the paths that are asked about begin
  std::vector<Patterns> excludes;  // highest precedence first
  ReadTracked read_tracked;
  std::optional<std::vector<std::string>> tracked;
  std::vector<std::unique_ptr<Level>> levels;
  std::unordered_map<std::string, Directory> directories;

  [[nodiscard]] bool matches(const Level* level, std::string_view path, bool directory) const;
  bool is_tracked(std::string_view path);
  Directory directory(std::string_view path);
  Directory enter(std::string_view path, const Directory& parent);
};

bool IgnoreRules::State::matches(const Level* level, std::string_view path, bool directory) const {
  for (; level != nullptr; level = level->above) {
    const RuleSays verdict = judge(level->patterns, path.substr(level->prefix), directory);
    if (verdict != RuleSays::None) {
      return verdict == RuleSays::Ignore;
    }
  }
  for (const Patterns& one : excludes) {
    const RuleSays verdict = judge(one, path, directory);
    if (verdict != RuleSays::None) {
      return verdict == RuleSays::Ignore;
    }
  }
  return false;
}

// The path itself, or anything below it.
bool IgnoreRules::State::is_tracked(std::string_view path) {
  if (!tracked) {
    tracked = read_tracked ? read_tracked() : std::vector<std::string>{};
  }
  if (std::binary_search(tracked->begin(), tracked->end(), path)) {
    return true;
  }
  const std::string below = std::string{path} + '/';
  const auto first = std::lower_bound(tracked->begin(), tracked->end(), below);
  return first != tracked->end() && first->starts_with(below);
}

// Reads the directory's own .gitignore, unless the directory is ignored, as git does.
Directory IgnoreRules::State::enter(std::string_view path, const Directory& parent) {
  Directory result = parent;
  result.ignored = parent.ignored || (!path.empty() && matches(parent.level, path, true));
  if (!result.ignored) {
    const auto text = read(sys::join_path(path, ".gitignore"));
    Patterns patterns = text ? parse_patterns(*text) : Patterns{};
    if (!patterns.empty()) {
      const std::size_t prefix = path.empty() ? 0 : path.size() + 1;
      levels.push_back(std::make_unique<Level>(Level{std::move(patterns), prefix, parent.level}));
      result.level = levels.back().get();
    }
  }
  directories.emplace(path, result);
  return result;
}

// Without recursion: a run can make trees of any depth.
Directory IgnoreRules::State::directory(std::string_view path) {
  std::vector<std::string_view> missing;
  Directory found;
  for (std::string_view here = path;; here = sys::split_path(here).parent) {
    const auto known = directories.find(std::string{here});
    if (known != directories.end()) {
      found = known->second;
      break;
    }
    missing.push_back(here);
    if (here.empty()) {
      break;
    }
  }
  std::reverse(missing.begin(), missing.end());
  for (const std::string_view here : missing) {
    found = enter(here, found);
  }
  return found;
}

IgnoreRules::IgnoreRules(ReadText read, const std::vector<std::string>& excludes,
                         ReadTracked read_tracked, std::string prefix)
    : state_{std::make_unique<State>()} {
  state_->read = std::move(read);
  state_->top = std::move(prefix);
  for (const std::string& text : excludes) {
    state_->excludes.push_back(parse_patterns(text));
  }
  std::reverse(state_->excludes.begin(), state_->excludes.end());
  state_->read_tracked = std::move(read_tracked);
}

IgnoreRules::IgnoreRules(IgnoreRules&&) noexcept = default;
IgnoreRules& IgnoreRules::operator=(IgnoreRules&&) noexcept = default;
IgnoreRules::~IgnoreRules() = default;

bool IgnoreRules::ignored(std::string_view path, bool directory) {
  if (path.empty()) {
    return false;
  }
  std::string whole;
  if (!state_->top.empty()) {
    whole = state_->top;
    path = whole.append(path);
  }
  bool by_rule = false;
  if (directory) {
    by_rule = state_->directory(path).ignored;
  } else {
    const Directory parent = state_->directory(sys::split_path(path).parent);
    by_rule = parent.ignored || state_->matches(parent.level, path, false);
  }
  return by_rule && !state_->is_tracked(path);
}

}  // namespace shadow::git
