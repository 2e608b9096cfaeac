// SPDX-License-Identifier: MIT
#include "sensitive/parts/package_map.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shadow;

namespace {

using Files = std::vector<std::string>;

Files files_of(const char* text, const char* name) {
  return sensitive::PackageMap{text}.files_of(name);
}

}  // namespace

TEST_CASE("a package's map gives all files that a name may be") {
  const char* package =
      R"({"name": "@a/b", "imports": {"#x": "./x.js", "#in/*": "./in/*.mjs", "#c/*.js": "./c/*/*.js",
          "#when": {"node": ["./n.cjs", null], "default": {"import": "./d.js"}}, "#other": "pkg"},
          "exports": {".": "./main.js", "./sub": {"types": "./sub.d.ts", "default": "./sub.js"},
                      "./all/*": "./src/*.js"}})";
  CHECK(files_of(package, "#x") == Files{"x.js"});
  CHECK(files_of(package, "#in/deep/y") == Files{"in/deep/y.mjs"});
  CHECK(files_of(package, "#c/y.js") == Files{"c/y/y.js"});
  CHECK(files_of(package, "#when").size() == 2);
  CHECK(files_of(package, "#other") == Files{"pkg"});
  CHECK(files_of(package, "@a/b") == Files{"main.js"});
  CHECK(files_of(package, "@a/b/sub").size() == 2);
  CHECK(files_of(package, "@a/b/all/z") == Files{"src/z.js"});
  for (const char* name : {"x", "#xx", "#c/.j", "@a/bc", "@a/b/none", "./x.js", "", "#in"}) {
    CHECK_MESSAGE(files_of(package, name).empty(), name);
  }
}

TEST_CASE("one file may be all that a package exports") {
  CHECK(files_of(R"({"name": "a", "exports": "./m.js"})", "a") == Files{"m.js"});
  CHECK(files_of(R"({"name": "a", "exports": ["./m.js"]})", "a") == Files{"m.js"});
  CHECK(files_of(R"({"name": "a", "exports": {"import": "./m.js"}})", "a") == Files{"m.js"});
  CHECK(files_of(R"({"name": "a", "main": "./m.js"})", "a").empty());
}

TEST_CASE("an import map names files and directories") {
  const char* text = "{\"imports\": {\"own/\": \"./mine/\", // of us\n \"x\": \"./x.ts\"}}";
  CHECK(files_of(text, "own/deep/e.ts") == Files{"mine/deep/e.ts"});
  CHECK(files_of(text, "x") == Files{"x.ts"});
  CHECK(files_of(text, "xy").empty());
  const char* both = R"({"name": "a", "exports": "./m.js", "imports": {"a": "./n.js"}})";
  CHECK(files_of(both, "a") == Files{"n.js", "m.js"});
}

TEST_CASE("TypeScript's paths are a map, with its spare commas") {
  const char* text = R"({ // of us, "a": {
      "compilerOptions": {"baseUrl": "./src", /* "paths": {} */
        "paths": {"@/*": ["./app/*", "gen/*",], "own": ["x//y.ts"], "q\"]": ["q"],},},})";
  CHECK(files_of(text, "@/deep/a") ==
        Files{"./src/gen/deep/a", "./src/app/deep/a", "./src/@/deep/a"});
  CHECK(files_of(text, "own") == Files{"./src/x//y.ts", "./src/own"});
  CHECK(files_of(text, "q\"]") == Files{"./src/q", "./src/q\"]"});
  const char* without = R"({"compilerOptions": {"paths": {"@/*": ["./app/*"]}}})";
  CHECK(files_of(without, "@/a") == Files{"app/a"});
  CHECK(files_of(without, "a").empty());
}

TEST_CASE("what is no map has no names") {
  const std::string deep(100'000, '[');
  for (const char* text : {"", "[]", "{", "null", "{\"imports\": 1}", "{\"exports\": {}}",
                           "{\"name\": 1, \"exports\": \"a\"}", deep.c_str()}) {
    CHECK(sensitive::PackageMap{text}.empty());
  }
}

TEST_CASE("words are found between any two quotes of a line") {
  const auto words = sensitive::quoted_words("it isn't 'a' \"b\" `c`\n'open\n'd'");
  for (const char* word : {"a", "b", "c", "d"}) {
    CHECK_MESSAGE(std::find(words.begin(), words.end(), word) != words.end(), word);
  }
}
