// SPDX-License-Identifier: MIT
// Values of keys in JSON, wherever they stand: of a key that is there twice one reader takes the
// last value, another the first, and TypeScript both. Pure.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// The values of these keys, which are JSON pointers, each time that one is there. What is no JSON
// to this parser, such as a comma too many, another may take: then all of the text, if it may have
// one.
[[nodiscard]] std::string keys_of_json(std::string_view text, std::span<const char* const> keys);

// The texts in the value of a key, each time that it is there; nullopt where that cannot be told.
[[nodiscard]] std::optional<std::vector<std::string>> texts_of_json(std::string_view text,
                                                                    const char* key);

// The names of other files that a tsconfig.json, or what it names, goes on with: "extends" and
// "references". TypeScript reads its plugins there as well.
[[nodiscard]] std::vector<std::string> configurations_in(std::string_view text);

// Those of them, a line each, that are not judged by a name of their own, as tsconfig*.json is; all
// of the text where they cannot be told.
[[nodiscard]] std::string other_configurations_in(std::string_view text);

}  // namespace shadow::sensitive
