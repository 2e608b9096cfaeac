// SPDX-License-Identifier: MIT
// Ignore rules of an agent's writing: the time that they take is bounded.

#include "git/patterns/ignore.hpp"

#include "fuzz/target.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Paths to ask about; the rest of the bytes are the rules at the top and in a directory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes{fuzz::text_of(data, size)};
  std::vector<std::string> paths{"a", "d/a", "d/e/a b", "d/.gitignore"};
  for (int i = 0; i < 3; ++i) {
    std::string path{bytes.piece()};
    if (!path.empty() && path.find('\0') == std::string::npos) {
      paths.push_back(std::move(path));
    }
  }
  const std::string below{bytes.piece()};
  const std::string excludes{bytes.piece()};
  const std::string top{bytes.rest()};
  const std::map<std::string, std::string> files{{".gitignore", top}, {"d/.gitignore", below}};
  shadow::git::IgnoreRules rules{[&files](const std::string& path) -> std::optional<std::string> {
                                   const auto found = files.find(path);
                                   return found == files.end() ? std::nullopt
                                                               : std::optional{found->second};
                                 },
                                 {excludes},
                                 [] {
                                   return std::vector<std::string>{"d/tracked", "tracked"};
                                 }};
  for (const std::string& path : paths) {
    const bool file = rules.ignored(path, false);
    (void)rules.ignored(path, true);
    fuzz::require(file == rules.ignored(path, false), "an answer stays the same");
  }
  fuzz::require(!rules.ignored("d/tracked", false), "a tracked file is never ignored");
  return 0;
}
