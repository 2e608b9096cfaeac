// SPDX-License-Identifier: MIT
// Tokens and keys that are known by their form.

#pragma once

#include <string_view>

namespace shadow::sandbox {

// True if the value is a token of a form that a provider gives its own so that it is found, or has
// one behind a word that says what it is: "token ghp_...", "user:ghp_...".
[[nodiscard]] bool holds_marked_token(std::string_view value);

// True if a private key begins in the value, in PEM's form.
[[nodiscard]] bool holds_private_key(std::string_view value);

}  // namespace shadow::sandbox
