// SPDX-License-Identifier: MIT
// Which variables of an environment hold a secret, by their names and by their values.

#pragma once

#include <string_view>

namespace shadow::sandbox {

// True if a word of the name says so: TOKEN, PASSWORD, API_KEY, wherever it stands, the KEY of a
// known provider. False for a name that is such a word alone, in small letters: tools hand their
// arguments over so.
[[nodiscard]] bool is_secret_variable(std::string_view name);

// The same of a name that stands alone: a member of JSON, a header.
[[nodiscard]] bool says_secret(std::string_view name);

// True if the value says so, whatever its name: an address or a connection string with a password
// in it, a private key, a token of a form that providers give theirs so that it is found.
[[nodiscard]] bool is_secret_value(std::string_view value);

}  // namespace shadow::sandbox
