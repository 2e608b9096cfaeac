// SPDX-License-Identifier: MIT
#include "commits/refs/ref_names.hpp"

#include "base/text.hpp"
#include "sensitive/names/folded_name.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace shadow::commits {

namespace {

// The prefixes that git tries for a word, in its order (gitrevisions(7)).
constexpr std::array<std::string_view, 5> kPlaces = {"", "refs/", "refs/tags/", "refs/heads/",
                                                     "refs/remotes/"};

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

// The words that lead to a ref, as a filesystem without case compares them.
std::vector<std::string> words_for(const std::string& ref) {
  std::vector<std::string> words;
  for (const std::string_view place : kPlaces) {
    if (ref.starts_with(place) && ref.size() > place.size()) {
      words.push_back(sensitive::folded_name(std::string_view{ref}.substr(place.size())));
    }
  }
  constexpr std::string_view kHead = "/HEAD";
  if (ref.starts_with(kPlaces.back()) && ref.ends_with(kHead)) {
    const std::size_t begin = kPlaces.back().size();
    words.push_back(sensitive::folded_name(ref.substr(begin, ref.size() - begin - kHead.size())));
  }
  return words;
}

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

void KnownRefs::add(const std::string& ref) {
  for (std::string& word : words_for(ref)) {
    refs_[std::move(word)].insert(ref);
  }
}

std::string KnownRefs::read_alike(const std::string& ref) const {
  for (const std::string& word : words_for(ref)) {
    const auto found = refs_.find(word);
    if (found == refs_.end()) {
      continue;
    }
    for (const std::string& other : found->second) {
      if (other != ref) {
        return other;
      }
    }
  }
  return {};
}

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
