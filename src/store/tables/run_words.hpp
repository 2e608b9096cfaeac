// SPDX-License-Identifier: MIT
// The words for what became of a run, as the database, the notes of runs and the JSON output have
// them; the other way round in shadow/records.hpp.

#pragma once

#include "shadow/records.hpp"

#include <string_view>

namespace shadow::store {

// Own for a word that no ending has.
[[nodiscard]] RunEnding run_ending_of(std::string_view word);

// Written for a word that no effect has.
[[nodiscard]] RunEffect run_effect_of(std::string_view word);

}  // namespace shadow::store
