// SPDX-License-Identifier: MIT
#include "commits/refs/shadow_ref.hpp"

#include "base/git_names.hpp"

#include <algorithm>
#include <string_view>

namespace shadow::commits {

namespace {

bool starts_session_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool can_be_in_ref(const std::string& name) {
  constexpr std::size_t kMost = 64;
  constexpr std::string_view kLock = ".lock";
  return !name.empty() && name.size() <= kMost && starts_session_name(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return starts_session_name(c) || c == '-' || c == '.'; }) &&
         name.find("..") == std::string::npos && name.back() != '.' &&
         (name.size() < kLock.size() || name.substr(name.size() - kLock.size()) != kLock);
}

}  // namespace

std::string shadow_ref(const store::SessionRow& session, const std::string& ref) {
  constexpr std::string_view kRefs = "refs/";
  const std::size_t start = ref.starts_with(git::kHeads) ? git::kHeads.size()
                            : ref.starts_with(kRefs)     ? kRefs.size()
                                                         : 0;
  return std::string{git::kShadow} + (can_be_in_ref(session.agent) ? session.agent : session.id) +
         "/" + ref.substr(start);
}

}  // namespace shadow::commits
