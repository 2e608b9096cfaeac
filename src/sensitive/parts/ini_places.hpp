// SPDX-License-Identifier: MIT
// Values of settings in the form of an INI file that may be places of programs. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// Each path in the values of ansible.cfg, in which lists are parted by colons and commas: it has a
// key for each kind of plugin, and for roles, modules, inventories and secrets, which may all be
// programs (https://docs.ansible.com/ansible/latest/reference_appendices/config.html).
[[nodiscard]] std::vector<std::string> places_of_ini(std::string_view text);

}  // namespace shadow::sensitive
