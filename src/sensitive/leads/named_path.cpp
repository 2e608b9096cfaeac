// SPDX-License-Identifier: MIT
#include "sensitive/leads/named_path.hpp"

#include <utility>

namespace shadow::sensitive {

NamedPath programs_in_any_directory(std::string reason) {
  NamedPath named{"", std::move(reason), true};
  named.in_any_directory = true;
  return named;
}

NamedPath python_directory(std::string directory, std::string reason) {
  NamedPath named{std::move(directory),
                  std::move(reason) + ": python looks there before its own modules"};
  named.fresh_module = true;
  named.of_python = true;
  return named;
}

}  // namespace shadow::sensitive
