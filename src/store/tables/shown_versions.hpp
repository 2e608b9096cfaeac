// SPDX-License-Identifier: MIT
// Rows of the table `shown_versions`: what a live session's view has shown of the project where the
// session has nothing of its own.

#pragma once

#include "store/tables/bases.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::store {

// Of a file whose text is kept the hash is known.
struct ShownVersion {
  std::int64_t noted_ns = 0;
  Base base;
};

struct ShownSize {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  // of their texts
};

// In the order in which they were shown.
[[nodiscard]] std::vector<ShownVersion> shown_versions(Database& db, const std::string& session,
                                                       const std::string& path);
void put_shown_version(Database& db, const std::string& session, const std::string& path,
                       const ShownVersion& version, const std::optional<std::string>& text);
[[nodiscard]] std::optional<std::string> shown_text(Database& db, const std::string& session,
                                                    const std::string& path, std::int64_t noted_ns);
void delete_shown_version(Database& db, const std::string& session, const std::string& path,
                          std::int64_t noted_ns);

// The paths below a directory that have a row.
[[nodiscard]] std::vector<std::string> shown_below(Database& db, const std::string& session,
                                                   const std::string& directory);

[[nodiscard]] ShownSize shown_size(Database& db, const std::string& session);
void clear_shown_versions(Database& db, const std::string& session);

}  // namespace shadow::store
