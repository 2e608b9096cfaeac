// SPDX-License-Identifier: MIT
#include "commits/refs/ref_names.hpp"

#include "base/text.hpp"
#include "sensitive/names/folded_name.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace shadow::commits {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

bool is_like_an_id(const std::string& name) {
  constexpr std::array<std::size_t, 2> kLengths = {40, 64};  // SHA-1, SHA-256
  return std::find(kLengths.begin(), kLengths.end(), name.size()) != kLengths.end() &&
         name.find_first_not_of(kHexDigits) == std::string::npos;
}

// What git describe(1) prints: of "v1-3-gabcd" git reads only what follows the last "-g", the
// beginning of an object's id (get_describe_name() in its object-name.c).
bool is_like_a_description(const std::string& name) {
  constexpr std::string_view kMark = "-g";
  constexpr std::size_t kShortest = 4;  // of what git takes for an abbreviation
  const std::size_t at = name.rfind(kMark);
  return at != std::string::npos && at > 0 && name.size() - at >= kMark.size() + kShortest &&
         name.find_first_not_of(kHexDigits, at + kMark.size()) == std::string::npos;
}

// HEAD, and what git keeps beside it: FETCH_HEAD, MERGE_HEAD, ...
bool is_pseudo_ref(const std::string& name) {
  const std::string lower = sensitive::folded_name(name);
  return lower == "@" || lower == "head" || lower.ends_with("_head") || lower == "auto_merge" ||
         lower == "bisect_expected_rev" || lower == "stash";
}

std::string first_part(const std::string& name) {
  return name.substr(0, name.find('/'));
}

}  // namespace

std::string fault_of_new_ref(const std::string& ref, const KnownRefs& known, bool abbreviates) {
  const std::string name = ref.substr(ref.find('/', ref.find('/') + 1) + 1);
  if (name.starts_with('-') || name.find("/-") != std::string::npos) {
    return "its name reads as an option";
  }
  if (name.find_first_of("$`;|&<>()\"'%!\\") != std::string::npos) {
    return "its name has signs that shells expand";
  }
  if (is_like_an_id(name) || is_like_a_description(name) || abbreviates) {
    return "its name reads as an object's id";
  }
  if (is_pseudo_ref(name)) {
    return "its name is one that git uses itself";
  }
  const std::string folded = sensitive::folded_name(name);
  for (const char* start : {"refs/", "heads/", "tags/", "remotes/"}) {
    if (folded.starts_with(start)) {
      return "its name reads as another ref's";
    }
  }
  if (name.find('/') != std::string::npos && known.has_remote(first_part(name))) {
    return "its name reads as a branch of the remote " + quoted(first_part(name));
  }
  const std::string other = known.read_alike(ref);
  return other.empty() ? std::string{} : "its name is that of " + quoted(other) + " too";
}

}  // namespace shadow::commits
