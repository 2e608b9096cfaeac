// SPDX-License-Identifier: MIT
#include "cli/render/not_shown.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace shadow::cli {

std::string not_shown_text(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return {};
  }
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < paths.size() && i < kMostNamed; ++i) {
    names.push_back(printable(paths[i]));
  }
  std::string text = "commits bring changes that the work tree does not show: " + join(names, ", ");
  if (paths.size() > kMostNamed) {
    text += fmt::format(" and {} more", paths.size() - kMostNamed);
  }
  return text + "\n";
}

Json not_shown_json(const std::vector<std::string>& paths) {
  Json list = Json::array();
  for (const std::string& path : paths) {
    Json record;
    set_bytes(record, "path", path);
    list.push_back(std::move(record));
  }
  return list;
}

}  // namespace shadow::cli
