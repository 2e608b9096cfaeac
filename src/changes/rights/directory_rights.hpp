// SPDX-License-Identifier: MIT
// Directories of both sides of which the project's keep their rights.

#pragma once

#include "shadow/base.hpp"
#include "shadow/change.hpp"

#include <cstdint>

namespace shadow::changes {

// True for a directory of both sides that the project made, or changed after the session had copied
// it (not every filesystem tells when): without a base nothing tells whose change its rights are,
// and the project's may be the narrower ones.
[[nodiscard]] bool may_have_projects_rights(const Change& change, std::int64_t base_time_ns);

// True for a directory of both sides whose access control lists differ, which no base keeps, and
// nothing else, where the project's has one and was changed since the base: with a name in it, or
// with that list. `lower` is the project's root.
[[nodiscard]] bool may_lose_acl(int lower, const Change& change, const Base* base);

}  // namespace shadow::changes
