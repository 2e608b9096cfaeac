// SPDX-License-Identifier: MIT
#include "commits/refs/known_refs.hpp"

#include "base/git_config_text.hpp"
#include "sys/files/file.hpp"

#include <cstdint>
#include <string_view>

#include <fcntl.h>

namespace shadow::commits {

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
