// SPDX-License-Identifier: MIT
#include "sensitive/leads/named_path.hpp"

#include <utility>

namespace shadow::sensitive {

NamedPath named_path(std::string path, std::string reason, Reach reach) {
  NamedPath named;
  named.path = std::move(path);
  named.reason = std::move(reason);
  named.below = reach == Reach::Below;
  return named;
}

NamedPath named_in_part(std::string path, std::string reason, std::string alias) {
  NamedPath named = named_path(std::move(path), std::move(reason));
  named.alias = std::move(alias);
  named.in_part = true;
  return named;
}

NamedPath programs_in_any_directory(std::string reason) {
  NamedPath named = named_path("", std::move(reason), Reach::Below);
  named.in_any_directory = true;
  return named;
}

NamedPath python_directory(std::string directory, std::string reason) {
  NamedPath named = named_path(std::move(directory),
                               std::move(reason) + ": python looks there before its own modules");
  named.fresh_module = true;
  named.of_python = true;
  return named;
}

}  // namespace shadow::sensitive
