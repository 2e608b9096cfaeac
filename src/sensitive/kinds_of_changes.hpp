// SPDX-License-Identifier: MIT
// What a change may be to those who look in the directory that it lies in. Pure.

#pragma once

#include "shadow/change.hpp"

#include <string>
#include <string_view>

namespace shadow::sensitive {

// Files for people, which nothing obeys, in a project that something obeys as a whole.
[[nodiscard]] bool is_for_people(const std::string& path);

// Files and packages that Python takes for modules beside the program that it runs.
[[nodiscard]] bool is_fresh_module(const Change& change, const std::string& directory);

// One by the name of Python's own, which it would find first in this directory.
[[nodiscard]] bool is_python_module_in(const std::string& directory, const Change& change);

// A command or a library, by its mode or its name; a link may lead to one.
[[nodiscard]] bool may_be_found_on_path(const Change& change);

// Likewise, or a script, or what a runtime loads.
[[nodiscard]] bool can_be_run(const Change& change);

// Why a new file or directory of this name does more than lie there, where somebody types "*":
// programs take the name for an option or a command. Empty for others.
[[nodiscard]] std::string_view reason_as_argument(std::string_view name);

}  // namespace shadow::sensitive
