// SPDX-License-Identifier: MIT
// Paths with a blank in them, or another sign that parts words: as a language quotes them. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// The text once more for each way in which it may quote, without those that say nothing new. Signs
// that part words, and do not there, have stand-ins, which part nothing: "sh my?tools/x" of "sh 'my
// tools/x'" and "sh my\ tools/x" (sh(1) 2.2). Quotes within quotes are the code that a string holds
// ("sh -c 'sh "my tools/x"'"), and in double quotes a backslash stands for what it does in JSON.
// Each is read in one pass.
[[nodiscard]] std::vector<std::string> quoted_readings(std::string_view text);

[[nodiscard]] bool has_stand_in(std::string_view word);

// The word with the signs in the place of their stand-ins.
[[nodiscard]] std::string without_stand_ins(std::string word);

// The word with stand-ins for what would end it in a shell. Variables in it stay.
[[nodiscard]] std::string as_one_word(std::string_view word);

}  // namespace shadow::sensitive
