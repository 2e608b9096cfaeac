// SPDX-License-Identifier: MIT
#include "sandbox/secrets/known_places.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>

namespace shadow::sandbox {
namespace {

constexpr std::string_view kDigits = "0123456789";

// A second one of its kind, or what a program puts behind a name for the file that it then renames.
bool is_number(std::string_view rest) {
  return rest.find_first_not_of(kDigits) == std::string_view::npos;
}

// True if what is put in from there on is no part of a longer word.
bool ends_word(std::string_view name, std::size_t at) {
  return !is_letter_or_digit(name[at]) || is_number(name.substr(at));
}

// "config.bak.json" and "config (1).json" of "config.json".
bool is_marked_before_ending(std::string_view name,
                             const std::function<bool(std::string_view)>& is_known) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) {
    return false;
  }
  const std::string_view ending = name.substr(dot);
  const std::string_view body = name.substr(0, dot);
  for (std::size_t end = 1; end < body.size(); ++end) {
    if (ends_word(body, end) && is_known(std::string{body.substr(0, end)}.append(ending))) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_left_over(std::string_view name, const std::function<bool(std::string_view)>& is_known) {
  // An editor's swap file, lock or autosave has something before the name as well.
  for (const std::string_view before : {"", ".", ".#", "#"}) {
    if (!name.starts_with(before)) {
      continue;
    }
    const std::string_view rest = name.substr(before.size());
    for (std::size_t end = 1; end <= rest.size(); ++end) {
      const bool whole = end == rest.size();
      const bool ends = whole ? !before.empty() : ends_word(rest, end);
      if (ends && is_known(rest.substr(0, end))) {
        return true;
      }
    }
  }
  return is_marked_before_ending(name, is_known);
}

bool has_name(const SortedNames& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

KnownPlaces::KnownPlaces(const std::vector<std::string_view>& paths) {
  for (const std::string_view path : paths) {
    const sys::SplitPath parts = sys::split_path(path);
    names_[parts.parent].push_back(parts.name);
  }
  for (auto& entry : names_) {
    std::sort(entry.second.begin(), entry.second.end());
  }
}

const SortedNames& KnownPlaces::names_of(std::string_view directory) const {
  static const SortedNames none;
  const auto found = names_.find(directory);
  return found == names_.end() ? none : found->second;
}

std::vector<std::string> KnownPlaces::directories() const {
  std::vector<std::string> all;
  all.reserve(names_.size());
  for (const auto& [directory, names] : names_) {
    all.emplace_back(directory);
  }
  return all;
}

std::string KnownPlaces::original_of(std::string_view directory) const {
  std::string original;
  for (std::size_t at = 0; at < directory.size();) {
    const std::size_t end = std::min(directory.find('/', at), directory.size());
    const std::string_view name = directory.substr(at, end - at);
    std::string same = sys::join_path(original, name);
    if (is_way(same)) {
      original = std::move(same);
    } else if (std::string other = copied_from(original, name); !other.empty()) {
      original = std::move(other);
    } else {
      return std::string{directory};
    }
    at = end + 1;
  }
  return original;
}

bool KnownPlaces::is_copy(std::string_view directory) const {
  return original_of(directory) != directory;
}

// True if there are known names in the directory, or further down.
bool KnownPlaces::is_way(std::string_view directory) const {
  const auto next = names_.lower_bound(directory);
  if (next != names_.end() && next->first == directory) {
    return true;
  }
  const std::string inside = std::string{directory} + '/';
  const auto below = names_.lower_bound(inside);
  return below != names_.end() && below->first.starts_with(inside);
}

std::string KnownPlaces::copied_from(const std::string& parent, std::string_view name) const {
  std::string original;
  const auto is_known = [&](std::string_view other) {
    original = sys::join_path(parent, other);
    return is_way(original);
  };
  const std::size_t letters = name.find_last_not_of(kDigits) + 1;
  const bool numbered = letters > 0 && letters < name.size() && is_known(name.substr(0, letters));
  return numbered || is_left_over(name, is_known) ? original : std::string{};
}

}  // namespace shadow::sandbox
