// SPDX-License-Identifier: MIT
#include "commits/show/commit_text.hpp"
#include "sensitive/leads/led_paths.hpp"
#include "sensitive/names/embedded_settings.hpp"
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
  CHECK(led({{"env/pyvenv.cfg", ""}}) == List{"env/"});
  CHECK(led({{"pyproject.toml", "[project]\nreadme = 'a.md'\n[tool.mypy]\nplugins = ['x.y']"},
             {"a.md", ""},
             {"x/y.py", ""}}) == List{"x/y.py"});
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

TEST_CASE("attributes that are mere properties name no program") {
  CHECK_FALSE(sensitive::names_programs("*.py diff=python\nCHANGES merge=union text\n"));
  CHECK(sensitive::names_programs("*.py diff=python3\n"));
  CHECK(sensitive::names_programs("*.py merge=python\n"));
  CHECK_FALSE(
      sensitive::names_programs("# filter=x\n\n*.c text eol=lf -diff\n*.filter binary\n* merge\n"));
  CHECK_FALSE(sensitive::names_programs("*.py linguist-vendored conflict-marker-size=9 !text\n"));
  for (const char* text :
       {"* filter=x", "*\tdiff=x", "* -filter", "* !filter", "[attr]x filter", "* x", "* text\tx=y",
        "\"*\" filter=x \"", "\"* filter=x", "\xef\xbb\xbf* merge=x"}) {
    CHECK_MESSAGE(sensitive::names_programs(text), text);
  }
}

TEST_CASE("of files that tools obey in part, that part tells") {
  const auto parts = [](const char* name, const char* text) {
    return sensitive::tool_settings_in(name, text);
  };
  CHECK(parts("pyproject.toml", "[project]\nx = 1\n[tool.black]\ny = 1\n").empty());
  CHECK(parts("pyproject.toml", "[tool.mypy]\nx = 1\n[project]\ny = 1\n") ==
        "[tool.mypy]\nx = 1\n");
  CHECK_FALSE(parts("pyproject.toml", "[tool]\nmypy.plugins = [\n'a']\n").empty());
  CHECK_FALSE(parts("pyproject.toml", "[ 'tool' . 'pylint' ]\ninit-hook = 'a'\n").empty());
  CHECK_FALSE(parts("setup.cfg", "[flake8:local-plugins]\nextension = a\n").empty());
  CHECK_FALSE(parts("pyproject.toml", "[tool.hatch.env.collectors.custom]\npath = 'a'\n").empty());
  CHECK(parts("pyproject.toml", "[tool.hatch.envs.test]\ndependencies = []\n").empty());
  CHECK_FALSE(parts("tox.ini", "[sqlfluff:templater:jinja]\nlibrary_path = a\n").empty());
  CHECK_FALSE(parts("package.json", R"({"jest": {"globalSetup": "a"}})").empty());
  CHECK(parts("package.json", R"({"scripts": {"a": "b"}})").empty());
  CHECK_FALSE(parts("package.json", R"({"imports": {"#a": "./a.js"}})").empty());
  CHECK_FALSE(parts("package.json", R"({"ember-language-server": {"entry": "./a"}})").empty());
  CHECK_FALSE(parts("package.json", R"({"husky": {}})").empty());
  CHECK_FALSE(parts("package.json", R"({"scripts": {"precommit": "x"}})").empty());
  CHECK_FALSE(parts("package.json", R"({"\u0068usky": {}})").empty());
  CHECK_FALSE(parts("package.json", "{\"husky\": {}, \"x\": \"\xff\"}").empty());
  CHECK_FALSE(parts("package.json", ("{\"husky\":" + std::string(100000, '[')).c_str()).empty());
}

TEST_CASE("of JSON every value of a key counts, also where the key is there twice") {
  const auto parts = [](const char* name, const char* text) {
    return sensitive::tool_settings_in(name, text);
  };
  CHECK(parts("package.json", R"({"jest": {"a": [1, "b"]}, "c": {"jest": 2}, "jest": {}})") ==
        "/jest: {\n\"a\": [\n1,\n\"b\"\n]\n}\n/jest: {}\n");
  CHECK(parts("package.json", R"({"config": [{"commitizen": 1}]})").empty());
  CHECK(parts("tsconfig.json", R"({"extends": "./a", "references": [{"path": "b"}]})") ==
        "/extends: \"./a\"\n");
  CHECK(parts("tsconfig.json", R"({"references": [{"path": "./b.json"}, {"path": "a"}]})") ==
        "/references: \"./b.json\"\n");
  CHECK(
      parts("tsconfig.json", R"({"extends": ["./tsconfig.b.json", "@c/jsconfig.json"]})").empty());
}

TEST_CASE("tables of tools end where their reader ends them") {
  const auto parts = [](const char* name, const char* text) {
    return sensitive::tool_settings_in(name, text);
  };
  const std::string mypy = "[tool.mypy] # a=b\nx = \"\"\"\n[y]\n\"\"\"\nz = [\n[1]\n]\n";
  CHECK(parts("pyproject.toml", (mypy + "[a]\nb = 1\n").c_str()) == mypy);
  CHECK(parts("pyproject.toml", "tool . \"mypy\" .x = 1\n") == "tool . \"mypy\" .x = 1\n");
  CHECK(parts("pyproject.toml", "[tool]\nhatch = { env = {x = 1}}\n") ==
        "hatch = { env = {x = 1}}\n");
  CHECK(parts("pyproject.toml", "[a]\nb = [\"mypy\"] # pylint\n").empty());
  CHECK(parts("setup.cfg", "[mypy] =\rx = 1\r  [a]\ry = 1\r[b]\rz = 1\r") ==
        "[mypy] =\nx = 1\n  [a]\ny = 1\n");
  CHECK(parts("setup.cfg", "[DEFAULT]\nx = 1\n[a]\ny = 1\n") == "[DEFAULT]\nx = 1\n");
}

TEST_CASE("of a spell checker's configuration, what it loads tells") {
  const auto parts = [](const char* name, const char* text) {
    return sensitive::tool_settings_in(name, text);
  };
  CHECK(parts("cspell.json", "{\n\"words\": [\n\"importable\",\n\"plugins\"\n]}\n").empty());
  CHECK(parts("cspell.json", "{\"import\": [\n\"a:b\",\n\"./x.js\"],\n\"words\": []}\n") ==
        "{\"import\": [\n\"a:b\",\n\"./x.js\"],\n");
  CHECK(parts("cspell.yaml", "words:\n  - a\nimport:\n  - ./x.js\nlanguage: en\n") ==
        "import:\n  - ./x.js\n");
  CHECK_FALSE(parts(".cspell.json", R"({"\u0069mport": "x"})").empty());
  CHECK_FALSE(parts("cspell.config.yml", "'import' : x\n").empty());
  CHECK_FALSE(parts("cspell.toml", "import = ['x']\n").empty());
  CHECK_FALSE(parts("cspell.yaml", "? import\n: x\n").empty());
  CHECK(parts("cspell.yaml", "*a : [x]\nb: [\"*.c\", /**/d]\n") == "*a : [x]\n");
  CHECK(parts("a.neon", "services:\n\t-\n\t\tclass: A\nb:\n\tc: 1\n") ==
        "services:\n\t-\n\t\tclass: A\n");
  CHECK_FALSE(parts("package.json", R"({"cspell": {"import": "x"}})").empty());
}

TEST_CASE("of build scripts that editors run, what runs programs tells") {
  const auto parts = [](const char* name, const char* text) {
    return sensitive::tool_settings_in(name, text);
  };
  CHECK(parts("cmakelists.txt", "project(a)\nadd_library(b c.c)\n").empty());
  CHECK(
      parts("cmakelists.txt", "project(a)\nexecute_process(\n  COMMAND x)\nadd_library(b c.c)\n") ==
      "execute_process(\n  COMMAND x)\n");
  CHECK_FALSE(parts("x.cmake", "cmake_language(EVAL CODE \"a\")").empty());
  CHECK(parts("cmakelists.txt",
              "include(GNUInstallDirs)\ninclude( \"cmake/x.cmake\" )\n"
              "target_include_directories(a PUBLIC ${X})\n"
              "include(${CMAKE_CURRENT_SOURCE_DIR}/x.cmake)\n")
            .empty());
  for (const char* text :
       {"include(x.txt)", "include (${X}.cmake)", "if(A) include(data/x)", "include(\n  x.txt)",
        "INCLUDE(\"x.in\" OPTIONAL)", "include(${CMAKE_BINARY_DIR}/x.cmake)"}) {
    CHECK_MESSAGE(!parts("cmakelists.txt", text).empty(), text);
  }
  CHECK(parts("x.cmake", "configure_file(a.h.in a.h)\nproject(a)\nset(project_name b)\n").empty());
  for (const char* text : {"file(WRITE a.h x)", "configure_file(a b.cmake)",
                           "configure_file(a .\\./b)", "configure_file(a ~/b)",
                           "configure_file(${a} b)", "set(PROJECT_NAME a)", "project(../a)"}) {
    CHECK_MESSAGE(!parts("x.cmake", text).empty(), text);
  }
  CHECK(parts("xconfig.cmake.in", "@PACKAGE_INIT@\nset(A \"@B@\")\n") == "set(A \"@B@\")\n");
  CHECK_FALSE(parts("meson.build", "configure_file(output: 'a', command: ['x'])").empty());
  CHECK_FALSE(parts("meson.build", "cc.run('int main() {}')").empty());
  CHECK_FALSE(parts("meson.build", "a = run_command('x')").empty());
  CHECK(parts("meson.build", "executable('a', 'b.c')").empty());
  CHECK(parts("tsconfig.json", "{// a\n\"compilerOptions\": {\"strict\": true}}").empty());
  CHECK_FALSE(
      parts("tsconfig.app.json", R"({"compilerOptions": {"plugins": [{"name": "a"}]}})").empty());
  CHECK_FALSE(parts("tsconfig.json", R"({"compilerOptions": {"plugins": [],},})").empty());
  CHECK(parts("composer.json", R"({"require": {}, "scripts": {"test": "x"}})").empty());
  CHECK_FALSE(parts("composer.json", R"({"scripts": {"pre-command-run": "x"}})").empty());
}

TEST_CASE("of a crate, its build script and what makes it a macro tell") {
  const auto parts = [](const std::string& text) {
    return sensitive::tool_settings_in("cargo.toml", text);
  };
  for (const char* text :
       {"[package]\nname = 'a'\n[dependencies]\nb = '1'\n",
        "[dependencies]\nderive_builder = '1'\n", "[build-dependencies]\ncc = '1'\n",
        "[package]\ndescription = 'builds a plugin'\n",
        "[package]\ndescription = \"\"\"\nbuild = 'x'\n\"\"\"\n",
        "[lib]\nname = 'build'\n[profile.dev.build-override]\nopt-level = 3\n"}) {
    CHECK_MESSAGE(parts(text).empty(), text);
  }
  for (const char* text :
       {"[package]\nbuild = 'b.rs'\n", "[lib]\nproc-macro = true\n", "package.build = 'b.rs'\n",
        "[ \"package\" ]\n'build' = 'b.rs'\n", "package = {name = 'a', build = 'b.rs'}\n",
        "[project]\nbuild = 'b.rs'\n", "[lib]\ncrate-type = ['proc-macro']\n",
        "lib = {proc_macro = true}\n", "[package]\n\"b\\u0075ild\" = 'x'\n",
        "[lib]\ncrate-type = [\"\"\"proc-\\\n  macro\"\"\"]\n"}) {
    CHECK_MESSAGE(!parts(text).empty(), text);
  }
}

TEST_CASE("of pyproject.toml, a dependency's name tells nothing") {
  const auto parts = [](const std::string& text) {
    return sensitive::tool_settings_in("pyproject.toml", text);
  };
  for (const char* text :
       {"[project]\ndependencies = ['mkdocs-macros-plugin']\n",
        "[tool.poetry.group.dev.dependencies]\nmypy = '^1'\nx-plugin = {version = '1'}\n",
        "[project.optional-dependencies]\npylint = ['pylint']\n",
        "[dependency-groups]\nmypy = ['mypy']\n",
        "[tool.uv.sources]\nx = { workspace = true }\ny.workspace = true\n",
        "[project]\ndescription = \"a plugin\\u2026\"\n"}) {
    CHECK_MESSAGE(parts(text).empty(), text);
  }
  for (const char* text :
       {"[tool.x]\nplugins = ['a']\n", "[tool.x]\ny = {\"plugins\" = ['a']}\n",
        "[tool.x]\ny = {a = \"\"\" \" \"\"\", plugins = ['a']}\n",
        "[tool.uv.sources]\nx = {path = 'a'}\n",
        "[tool.uv.sources]\nx.url = 'h://a.workspace=true'\n", "[tool.refurb]\nload = ['a']\n",
        "[tool.django-stubs]\ndjango_settings_module = 'a'\n",
        "[tool.commitizen]\npre_bump_hooks = ['a']\n",
        "[tool.bumpversion]\npre_commit_hooks = ['a']\n",
        "[tool.git-cliff.git]\ncommit_preprocessors = [{pattern = 'a', replace_command = 'b'}]\n",
        "[tool.importlinter]\ncontract_types = ['a: b']\n",
        "[tool.poe]\ninclude_script = 'a:b'\n"}) {
    CHECK_MESSAGE(!parts(text).empty(), text);
  }
}

TEST_CASE("of a pom.xml, what Maven and an importer load tells") {
  const auto parts = [](const std::string& text) {
    return sensitive::tool_settings_in("pom.xml", text);
  };
  const std::string dependency = "<dependency><artifactId>a</artifactId></dependency>";
  CHECK(parts("<module>a/b</module><relativePath>../pom.xml</relativePath>").empty());
  CHECK(parts("<p><url>https://a</url><plugin><artifactId>a</artifactId></plugin></p>").empty());
  CHECK(parts("<p><compilerArgs><arg>-Xlint</arg></compilerArgs></p>").empty());
  for (const char* text :
       {"<p><?m2e execute onConfiguration?></p>",
        "<p><extensions ><extension>a</extension></extensions></p>",
        "<p><annotationProcessorPaths "
        "combine.self=\"a\"><path>a</path></annotationProcessorPaths></p>",
        "<p><annotationProcessors>a</annotationProcessors></p>",
        "<p><systemPath>a.jar</systemPath></p>", "<m:extensions xmlns:m=\"x\">a</m:extensions>",
        "<relativePath>a/b.xml</relativePath>", "<module>xpom.xml</module>",
        "<p><compilerArgs><arg>-processorpath</arg></compilerArgs></p>",
        "<p><repository><url>file:///a</url></repository></p>"}) {
    CHECK_MESSAGE(!parts(text).empty(), text);
  }
  const std::string plugin =
      "<plugin><artifactId>a</artifactId><extensions>true</extensions></plugin>";
  CHECK(parts(plugin) == parts(plugin + dependency));
  CHECK(parts(plugin) != parts("<plugin><artifactId>b" + plugin.substr(21)));
  const std::string hidden = "<extensions><!-- </extensions> -->a</extensions>";
  CHECK(parts(hidden).find("-->a") != std::string::npos);
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
