// SPDX-License-Identifier: MIT
#include "base/relative_path.hpp"

#include "base/text.hpp"

#include <utility>
#include <vector>

namespace shadow {

std::string relative_path(std::string_view path, std::string_view from) {
  std::string up;
  while (!is_at_or_below(path, from)) {
    from = from.substr(0, from.rfind('/') == std::string_view::npos ? 0 : from.rfind('/'));
    up += "../";
  }
  path.remove_prefix(from.size());
  path.remove_prefix(!from.empty() && !path.empty() ? 1 : 0);
  if (up.empty() && (path.empty() || path.front() == ':')) {
    up = "./";
  }
  return up + std::string{path};
}

std::string without_dots(std::string_view path) {
  std::vector<std::string> parts;
  for (std::string& part : split(path, '/')) {
    if (part == "..") {
      if (!parts.empty()) {
        parts.pop_back();
      }
    } else if (!part.empty() && part != ".") {
      parts.push_back(std::move(part));
    }
  }
  return "/" + join(parts, "/");
}

}  // namespace shadow
