// SPDX-License-Identifier: MIT
#include "commits/show/commit_text.hpp"
#include "sensitive/leads/led_paths.hpp"
#include "sensitive/names/git_environment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace shadow;

namespace {

// What files with these texts lead to, in a project that has them all.
std::vector<std::string> led(const std::map<std::string, std::string>& files,
                             const std::vector<std::string>& directories = {}) {
  const auto look = [&](const std::string& path) {
    Entry entry;
    const bool directory =
        std::find(directories.begin(), directories.end(), path) != directories.end() ||
        std::any_of(files.begin(), files.end(),
                    [&path](const auto& file) { return file.first.starts_with(path + "/"); }) ||
        std::any_of(directories.begin(), directories.end(),
                    [&path](const std::string& one) { return one.starts_with(path + "/"); });
    entry.kind = directory              ? EntryKind::Directory
                 : files.contains(path) ? EntryKind::File
                                        : EntryKind::Absent;
    return entry;
  };
  std::vector<sensitive::LeadingFile> names;
  for (const auto& [path, text] : files) {
    names.push_back({path});
  }
  const auto read = [&](const std::string& path) {
    const auto file = files.find(path);
    return file == files.end() ? std::nullopt : std::optional{file->second};
  };
  const sensitive::LedTrees trees{read, look, look, {}, {}};
  std::vector<std::string> found;
  for (const sensitive::NamedPath& named : sensitive::paths_led_to({names, {}, {}}, trees)) {
    found.push_back(named.path + (named.below ? "/" : "") + (named.of_python ? "/*.py" : "") +
                    (named.right_in ? "*" : "") + (named.if_fresh ? "+" : ""));
  }
  return found;
}

}  // namespace

TEST_CASE("a text that opens very many brackets is read in one pass") {
  constexpr int kMany = 500'000;
  std::string text;
  for (int i = 0; i < kMany; ++i) {
    text += "$(";
  }
  text += "\n$(a $(b) ${c})/check\n";
  CHECK(led({{".githooks/pre-commit", text}, {".githooks/check", ""}}) ==
        std::vector<std::string>{".githooks/check"});
}

TEST_CASE("what a sensitive file names is found beside it and above, as a word or a path") {
  using List = std::vector<std::string>;
  CHECK(led({{"a/.envrc", "source_env ../lib/env.sh\ndotenv vars"},
             {"lib/env.sh", ""},
             {"a/vars", ""}}) == List{"lib/env.sh", "a/vars"});
  CHECK(led({{".envrc", "PATH_add bin"}}, {"bin"}) == List{"bin/"});
  CHECK(led({{".envrc", "export PYTHONPATH=src"}}, {"src"}) == List{"src/*.py"});
  CHECK(led({{".envrc", "export PATH=$PWD/bin:$PATH"}}, {"bin"}) == List{"bin/"});
  CHECK(led({{".envrc", "use flake"}, {"flake.nix", ""}}) == List{"flake.nix"});
  CHECK(
      led({{".husky/pre-commit", "sh tools/check README"}, {"tools/check", ""}, {"README", ""}}) ==
      List{"tools/check"});
  CHECK(led({{"x/.mcp.json", R"({"args":["./server.js","../../out/x"]})"}, {"x/server.js", ""}}) ==
        List{"x/server.js"});
  CHECK(led({{"notes", "sh tools/check"}, {"tools/check", ""}}).empty());
}

TEST_CASE("variables lead to what programs load by them, in each form that sets one") {
  using List = std::vector<std::string>;
  const auto to = [](const std::string& text) {
    return led({{".envrc", text}, {"rc", ""}}, {"lib", "in/lib"});
  };
  CHECK(to("export LD_LIBRARY_PATH=$PWD/lib:$LD_LIBRARY_PATH") == List{"lib/*"});
  CHECK(to("path_add LD_LIBRARY_PATH in/lib") == List{"in/lib/*"});
  CHECK(to("export XDG_DATA_DIRS=\"${PWD}\"/lib") == List{"lib/"});
  CHECK(to("set -gx RUBYLIB in/lib") == List{"in/lib/+"});
  CHECK(to("PERL5OPT=-Ilib LUA_PATH='./lib/?.lua;;'") == List{"lib/+"});
  CHECK(to("GEM_PATH = [\n  '{{config_root}}/lib',\n]") == List{"lib/"});
  CHECK(to("PATH_add .") == List{"/*"});
  CHECK(to("export NODE_PATH=$(pwd)") == List{"/+"});
  CHECK(to("echo $GEM_PATH lib\nMY_GEM_PATH=lib\nMANPATH_add lib").empty());
  CHECK(led({{"devbox.json", R"({"env": {"BASH_ENV": "rc.txt"}})"}, {"rc.txt", ""}}) ==
        List{"rc.txt"});
  CHECK(led({{".envrc", "dotenv"}, {".env", "GEM_HOME=lib"}}, {"lib"}) == List{".env", "lib/"});
  CHECK(led({{".env", "GEM_HOME=lib"}}, {"lib"}).empty());
}

TEST_CASE("a line that sets very many variables is read in one pass") {
  constexpr int kMany = 200'000;
  std::string text;
  for (int i = 0; i < kMany; ++i) {
    text += "PATH=";
  }
  CHECK(led({{".envrc", text}}).empty());
}

TEST_CASE("a file of the list leads to programs, in JavaScript to what is imported") {
  using List = std::vector<std::string>;
  CHECK(led({{".husky/pre-commit", "exec \"$(git rev-parse --show-toplevel)\"/check ${A:-x}/other"},
             {"check", ""},
             {"other", ""},
             {"rev-parse", ""}}) == List{"check", "other"});
  CHECK(led({{".husky/pre-commit", "cat docs/check"}, {"check", ""}}).empty());
  CHECK(
      led({{".clangd", "Compiler: bin/cc\nPathMatch: src/a.c"}, {"bin/cc", ""}, {"src/a.c", ""}}) ==
      List{"bin/cc"});
  CHECK(led({{"vite.config.ts", "import a from './b'\nentry: 'src/m.ts'"},
             {"b.ts", ""},
             {"src/m.ts", ""}}) == List{"b.ts"});
  CHECK(led({{".storybook/main.ts", "import a from './c'"}, {".storybook/c.ts", ""}}) ==
        List{".storybook/c.ts"});
  CHECK(led({{".gitlab-ci.yml", "script: ci/a.sh"}, {"ci/a.sh", ""}}).empty());
  CHECK(led({{".env", "FLASK_APP=app.py"}, {"app.py", ""}}).empty());
  CHECK(led({{"package.json", R"({"jest": {"roots": ["./a.js"]}, "prettier": "./b.js"})"},
             {"a.js", ""},
             {"b.js", ""}}) == List{"b.js"});
  CHECK(led({{".sqlfluff", "library_path = sql/lib"}}, {"sql/lib"}) == List{"sql/lib/"});
  CHECK(led({{".ansible-lint", "exclude_paths:\n  - old/\nrulesdir:\n  - my\n"}}, {"old", "my"}) ==
        List{"my/"});
  CHECK(led({{"lefthook.yml", "extends: [a/b.yml]"}, {"a/b.yml", "run: c/d.sh"}, {"c/d.sh", ""}}) ==
        List{"a/b.yml", "c/d.sh"});
  CHECK(led({{".venv/lib/x/setup.py", "import os\nsh a/b.sh"}, {"a/b.sh", ""}}).empty());
}

TEST_CASE("what is named is read in turn, where it is a script") {
  using List = std::vector<std::string>;
  CHECK(led({{".husky/pre-commit", "sh tools/a.sh"},
             {"tools/a.sh", "cd tools && . b.sh\ncc src/main.c"},
             {"tools/b.sh", "exec ./c"},
             {"tools/c", ""},
             {"src/main.c", ""}},
            {"tools", "src"}) == List{"tools/a.sh", "tools/b.sh", "tools/c"});
  CHECK(led({{".husky/pre-push", "python3 x/lint.py"},
             {"x/lint.py", "import p.a"},
             {"x/p/__init__.py", ""},
             {"x/p/a.py", ""}}) == List{"x/lint.py", "x", "x/p/__init__.py", "x/p/a.py"});
  CHECK(led({{".husky/pre-push", "for f in x/all/*; do sh $f; done"}}, {"x/all"}) ==
        List{"x/all/"});
  CHECK(led({{".husky/pre-push", "prettier --check 'x/all/*'"}}, {"x/all"}).empty());
  CHECK(led({{".husky/pre-push", "sh \"./$1\""}}) == List{".husky/*", "/*"});
  CHECK(led({{".husky/pre-push", "cd x\nsh \"./$1\""}}, {"x"}) == List{"x/*"});
  CHECK(led({{".husky/pre-push", "sh x/a"}, {"x/a", "cd \"$(dirname \"$0\")\"; \"./$1\""}}) ==
        List{"x/a", "x/*"});
  CHECK(led({{"CMakeLists.txt", "include(./${x}.cmake)"},
             {"eslint.config.js", "require(`./${x}`)"},
             {".husky/a", "#!/usr/bin/env node\nimport(`./${x}`)"}})
            .empty());
  CHECK(led({{"env/pyvenv.cfg", ""}}) == List{"env/"});
  CHECK(led({{"env/conda-meta/history", ""}, {"env/conda-meta/a.json", ""}}) == List{"env/"});
  CHECK(led({{".vscode/settings.json",
              R"({"python.defaultInterpreterPath": "a/env/bin/python3.12"})"}},
            {"a/env/bin", "a/env/lib"}) == List{"a/env/"});
  CHECK(led({{".husky/pre-commit", "#!/usr/bin/python3\nx = 'a/bin/python'"}},
            {"usr/bin", "usr/lib", "a/bin"})
            .empty());
  CHECK(led({{"pyproject.toml", "[project]\nreadme = 'a.md'\n[tool.mypy]\nplugins = ['x.y']"},
             {"a.md", ""},
             {"x/y.py", ""}}) == List{"x/y.py"});
}

TEST_CASE("files of a build go on in others, by whatever name") {
  using List = std::vector<std::string>;
  CHECK(led({{"pom.xml",
              "<project><parent><relativePath> build/parent.xml </relativePath></parent>"
              "<modules><module>core</module><module>b\\other.pom</module></modules></project>"},
             {"build/parent.xml", "<parent><relativePath>../top.xml</relativePath></parent>"},
             {"core/pom.xml", "<module>in.xml</module>"}}) ==
        List{"core/in.xml", "build/parent.xml", "top.xml", "core/pom.xml", "b/other.pom"});
  CHECK(
      led({{"a/A.csproj",
            "<Project><import Condition='x' Project = \"$(MSBuildThisFileDirectory)..\\b\\c.xml\"/>"
            "<Import Project='*.x'/><ProjectReference Include='d.xml'/></Project>"},
           {"b/c.xml", "<Import Project='e.inc'/>"}}) == List{"b/c.xml", "b/e.inc"});
  CHECK(led({{"build.gradle", "apply plugin: 'java'\napply from: \"$rootDir/g/deps.txt\"\n"},
             {"sub/build.gradle.kts", "apply(from = \"${rootDir}/h.txt\")"}}) ==
        List{"g/deps.txt", "sub/h.txt"});
}

TEST_CASE("settings go on in others, by whatever name") {
  using List = std::vector<std::string>;
  CHECK(
      led({{"psalm.xml", "<psalm><xi:include href=\"in/p.xml\"/><file name='src/a'/></psalm>"}}) ==
      List{"in/p.xml"});
  CHECK(led({{"phpcs.xml",
              "<ruleset><rule ref='PSR12'/><rule ref=\"./in/My\"/><file>src</file>"
              "<arg name='extensions' value='php'/><config name='installed_paths' value='a/b,c'/>"
              "<autoload>./in/load.inc</autoload></ruleset>"}},
            {"in/My", "a/b", "c", "src", "php"}) == List{"in/My/", "a/b/", "c/", "in/load.inc"});
  CHECK(led({{"nx.json", R"({"extends": "in/base.json"})"},
             {"in/base.json", R"({"extends": "./more.json"})"}}) ==
        List{"in/base.json", "in/more.json"});
  CHECK(led({{"jest.config.ts", "export default { preset: '<rootDir>/in/pre', x: 'in/y' }"},
             {"in/pre/jest-preset.js", ""}})[1] == "in/pre/jest-preset.js");
  CHECK(led({{"jest.config.ts", "export default { preset: 'ts-jest' }"}}).empty());
  CHECK(led({{"cabal.project", "packages: a b\nimport: in/x.project\n"}}) == List{"in/x.project"});
  CHECK(led({{"cspell.json",
              "{\"import\": [\"./in/x.json\", \"@cspell/dict\"],\n\"words\": [\"a.json\"]}"},
             {"in/x.json", ""}}) == List{"in/x.json"});
  CHECK(led({{"dune", "(include_subdirs no)\n(include in.x)"}}) == List{"in.x"});
  CHECK(led({{"a.csproj", "<Import Project='build/*.xml'/>"}}, {"build"}) == List{"build/"});
  CHECK(led({{"pom.xml",
              "<properties><d>in</d></properties><parent><relativePath>${d}/p.xml</relativePath>"
              "</parent>"}}) == List{"in/p.xml"});
}

TEST_CASE("a configuration of git's that is named leads on") {
  using List = std::vector<std::string>;
  CHECK(led({{".envrc", "export GIT_CONFIG_GLOBAL=in/gc"},
             {"in/gc", "# mine\n[core]\n\thooksPath = hk\n[include]\n\tpath = more.inc\n"},
             {"in/more.inc", "[diff]\n\texternal = in/show --all\n"},
             {"in/show", ""}},
            {"hk"}) == List{"in/gc", "hk/", "in/more.inc", "in/show"});
  CHECK(led({{".gitconfig", "[core]\nhooksPath = hk"}}, {"hk"}) == List{"hk/"});
  CHECK(led({{".envrc", "export PIP_CONFIG_FILE=in/p.conf"}, {"in/p.conf", "[core]\nname = hk"}},
            {"hk"}) == List{"in/p.conf"});
}

TEST_CASE("what Emacs loads by name is found beside the file and on its path") {
  using List = std::vector<std::string>;
  CHECK(led({{".dir-locals.el", "((nil . ((eval . (load \"x\" t)))))"}, {"x.el", ""}, {"t", ""}}) ==
        List{"x.el", "t"});
  CHECK(led({{".dir-locals.el",
              "((eval . (add-to-list 'load-path \"lisp\"))\n (eval . (require 'my-mode)))"},
             {"lisp/my-mode.el", ""}})[1] == "lisp/my-mode.el");
  CHECK(
      led({{".dir-locals.el", "((nil . ((fill-column . 80) (mode . x))))"}, {"x.el", ""}}).empty());
}

TEST_CASE("the places of ansible.cfg count as far as they can run") {
  using List = std::vector<std::string>;
  CHECK(
      led({{"ansible.cfg", "[defaults]\nlibrary = ./lib1:/x/y\nroles_path=rl, more\nforks = 5\n"}},
          {"lib1", "rl", "more"}) == List{"lib1/", "rl/", "more/"});
}

TEST_CASE("an .envrc leads to the lock by which its environment is evaluated") {
  using List = std::vector<std::string>;
  CHECK(led({{".envrc", "use devenv"}, {"devenv.lock", ""}, {"devbox.lock", ""}}) ==
        List{"devenv.lock"});
}

TEST_CASE("GIT_CONFIG_PARAMETERS is read in git's own quotes") {
  const auto read = [](const char* text) {
    std::string all;
    for (const GitConfigEntry& one : sensitive::parse_config_parameters(text)) {
      all += one.section + "|" + one.subsection.value_or("-") + "|" + one.key + "|" +
             one.value.value_or("-") + "\n";
    }
    return all;
  };
  CHECK(read("'core.hooksPath'='hk'") == "core|-|hookspath|hk\n");
  CHECK(read("  'Core.HooksPath=a=b' 'x.Y.z'=''\n") == "core|-|hookspath|a=b\nx|Y|z|\n");
  CHECK(read("'core.a' 'core.b'= 'core.c'='d'") == "core|-|a|-\ncore|-|b|-\ncore|-|c|d\n");
  CHECK(read("'alias.x=!it'\\''s '\\!'b'") == "alias|-|x|!it's !b\n");
  CHECK(read("'none=x' 'a.'='x' '.b'='x' 'url.ext::x y.insteadof'='m:'") ==
        "url|ext::x y|insteadof|m:\n");
  CHECK(read("'a.b'='c' d.e=f 'a.c'='d'") == "a|-|b|c\n");
  CHECK(read("'a.b'='c").empty());
  CHECK(read("").empty());
}

TEST_CASE("what a commit or tag says beside its head is all of the rest") {
  using List = std::vector<std::string>;
  CHECK(commits::lines_beside_head("tree 1\nauthor A <a> 1 +0\ncommitter A <a> 2 +0\n\nOne\nline\n")
            .empty());
  CHECK(commits::lines_beside_head(
            "tree 1\nauthor A <a> 1 +0\ncommitter B <b> 2 +0\nencoding x\n\nOne\n\n"
            "two\n  three\n") ==
        List{"Committer: B <b>", "Header: encoding x", "", "    two", "      three"});
  CHECK(commits::lines_beside_head(
            "object 1\ntype commit\ntag v\ntagger A <a> 1 +0\n\nAll of\n\nit\n") ==
        List{"Tag: v", "Tagger: A <a>", "", "    All of", "    ", "    it"});
  CHECK(commits::lines_beside_head("tree 1\nparent 2\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n"
                                   "tag x\nparent y\nauthor z\n\nOne\n") ==
        List{"Header: tag x", "Header: parent y", "Header: author z"});
  CHECK(commits::tag_within("object 12\ntype tag\ntag v\n") == "12");
  CHECK_FALSE(commits::tag_within("object 12\ntype commit\ntag v\n"));
  CHECK(commits::lines_beside_head("tree 1\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n").empty());
}
