// SPDX-License-Identifier: MIT
#include "commits/commit_text.hpp"
#include "sensitive/led_paths.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace shadow;

namespace {

// What files with these texts lead to, in a project that has them all.
std::vector<std::string> led(const std::map<std::string, std::string>& files,
                             const std::vector<std::string>& directories = {}) {
  const auto look = [&](const std::string& path) {
    Entry entry;
    const bool directory =
        std::find(directories.begin(), directories.end(), path) != directories.end();
    entry.kind = directory              ? EntryKind::Directory
                 : files.contains(path) ? EntryKind::File
                                        : EntryKind::Absent;
    return entry;
  };
  std::vector<std::string> names;
  for (const auto& [path, text] : files) {
    names.push_back(path);
  }
  const LedTrees trees{[&](const std::string& path) { return std::optional{files.at(path)}; }, look,
                       look};
  std::vector<std::string> found;
  for (const NamedPath& named : paths_led_to({names, {}, {}}, trees)) {
    found.push_back(named.path + (named.below ? "/" : ""));
  }
  return found;
}

}  // namespace

TEST_CASE("what a sensitive file names is found beside it and above, as a word or a path") {
  using List = std::vector<std::string>;
  CHECK(led({{"a/.envrc", "source_env ../lib/env.sh\ndotenv vars"},
             {"lib/env.sh", ""},
             {"a/vars", ""}}) == List{"lib/env.sh", "a/vars"});
  CHECK(led({{".envrc", "PATH_add bin"}}, {"bin"}) == List{"bin/"});
  CHECK(led({{".envrc", "export PYTHONPATH=src"}}, {"src"}).empty());
  CHECK(led({{".envrc", "export PATH=$PWD/bin:$PATH"}}, {"bin"}) == List{"bin/"});
  CHECK(led({{".envrc", "use flake"}, {"flake.nix", ""}}) == List{"flake.nix"});
  CHECK(
      led({{".husky/pre-commit", "sh tools/check README"}, {"tools/check", ""}, {"README", ""}}) ==
      List{"tools/check"});
  CHECK(led({{"x/.mcp.json", R"({"args":["./server.js","../../out/x"]})"}, {"x/server.js", ""}}) ==
        List{"x/server.js"});
  CHECK(led({{"notes", "sh tools/check"}, {"tools/check", ""}}).empty());
}

TEST_CASE("what a commit or tag says beside its head is all of the rest") {
  using List = std::vector<std::string>;
  CHECK(
      lines_beside_head("tree 1\nauthor A <a> 1 +0\ncommitter A <a> 2 +0\n\nOne\nline\n").empty());
  CHECK(lines_beside_head("tree 1\nauthor A <a> 1 +0\ncommitter B <b> 2 +0\nencoding x\n\nOne\n\n"
                          "two\n  three\n") ==
        List{"Committer: B <b>", "Header: encoding x", "", "    two", "      three"});
  CHECK(lines_beside_head("object 1\ntype commit\ntag v\ntagger A <a> 1 +0\n\nAll of\n\nit\n") ==
        List{"Tagger: A <a>", "", "    All of", "    ", "    it"});
  CHECK(lines_beside_head("tree 1\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n").empty());
}
