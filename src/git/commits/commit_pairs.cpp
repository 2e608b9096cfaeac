// SPDX-License-Identifier: MIT
#include "git/commits/commit_pairs.hpp"

#include "shadow/error.hpp"

#include "base/wire.hpp"
#include "git/objects/objects.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/repository/confined.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace shadow::git {
namespace {

std::vector<TreeDifference> wanted_differences(
    git_odb* odb, const std::pair<std::string, std::string>& pair,
    const std::function<bool(const std::string& path)>& wanted) {
  try {
    std::vector<TreeDifference> rows = difference(odb, pair.first, pair.second);
    std::erase_if(rows, [&wanted](const TreeDifference& row) { return !wanted(row.path); });
    return rows;
  } catch (const Error&) {
    return {};  // git has thrown one of the two away
  }
}

}  // namespace

std::vector<std::vector<TreeDifference>> compare_pairs(
    const GitDirs& dirs, const std::vector<std::pair<std::string, std::string>>& pairs,
    const std::function<bool(const std::string& path)>& wanted) {
  std::vector<std::vector<TreeDifference>> found(pairs.size());
  if (pairs.empty()) {
    return found;
  }
  start_libgit2();
  const auto answer = run_confined(
      [&] {
        const OdbHandle real = open_real_objects(dirs);
        WireWriter out;
        for (const auto& pair : pairs) {
          const std::vector<TreeDifference> rows = wanted_differences(real.get(), pair, wanted);
          out.number(rows.size());
          for (const TreeDifference& row : rows) {
            put(out, row);
          }
        }
        return out.take();
      },
      kToCopy);
  WireReader in{answer ? std::string_view{*answer} : std::string_view{}};
  for (std::vector<TreeDifference>& rows : found) {
    for (std::uint64_t count = in.number(); in.ok() && count > 0; --count) {
      rows.push_back(take_difference(in));
    }
  }
  return in.done() ? found : std::vector<std::vector<TreeDifference>>(pairs.size());
}

}  // namespace shadow::git
