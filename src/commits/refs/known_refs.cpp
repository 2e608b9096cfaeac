// SPDX-License-Identifier: MIT
#include "commits/refs/known_refs.hpp"

#include "base/git_config_text.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sys/files/file.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fcntl.h>

namespace shadow::commits {

namespace {

// The prefixes that git tries for a word, in its order (gitrevisions(7)).
constexpr std::array<std::string_view, 5> kPlaces = {"", "refs/", "refs/tags/", "refs/heads/",
                                                     "refs/remotes/"};

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

KnownRefs known_refs(const git::Refs& real, const std::string& common) {
  KnownRefs known;
  for (const auto& [name, id] : real.named) {
    known.add(name);
  }
  constexpr std::string_view kRemotes = "refs/remotes/";
  for (const auto& [name, id] : real.remotes) {
    known.add(name);
    known.add_remote(
        name.substr(kRemotes.size(), name.find('/', kRemotes.size()) - kRemotes.size()));
  }
  constexpr std::uint64_t kMostConfig = 1U << 20U;
  const auto config = sys::read_file_at(AT_FDCWD, common + "/config", kMostConfig);
  for (const GitConfigEntry& entry : parse_git_config_text(config.value_or("")).entries) {
    if (entry.section == "remote" && entry.subsection) {
      known.add_remote(*entry.subsection);
    }
  }
  return known;
}

}  // namespace shadow::commits
