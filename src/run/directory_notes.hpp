// SPDX-License-Identifier: MIT
// When directories of a home last changed: "TIME DIRECTORY" each, as the file of masks has it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::run {

enum class Links : std::uint8_t { No, Follow };  // those of the real home are the user's own

// The time when an entry was last created, removed or replaced in it, in nanoseconds; nullopt if
// there is no directory, or if its owner may not look into it.
[[nodiscard]] std::optional<std::int64_t> changed_at(int root, const std::string& directory,
                                                     Links links = Links::No);

[[nodiscard]] std::string directory_of(const std::string& note);

// Of directories that are looked at from `when_ns` on.
[[nodiscard]] std::vector<std::string> notes_of(int home,
                                                const std::vector<std::string>& directories,
                                                std::int64_t when_ns);

// Notes these directories anew, and new ones among them.
void renew_notes(int home, const std::vector<std::string>& directories, std::int64_t when_ns,
                 std::vector<std::string>& notes);

struct Changed {
  std::vector<std::string> directories;
  bool vanished = false;  // one is no more, or there is no note of any
};

[[nodiscard]] Changed changed_since(int home, const std::vector<std::string>& notes);

}  // namespace shadow::run
