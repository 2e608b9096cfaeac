// SPDX-License-Identifier: MIT
#include "sensitive/names/embedded_settings.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace shadow;

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
  CHECK_FALSE(parts("package.json", R"({"bin": "./a.js"})").empty());
  CHECK_FALSE(parts("package.json", R"({"directories": {"bin": "tl"}})").empty());
  CHECK(
      parts("package.json", R"({"directories": {"doc": "tl"}, "scripts": {"bin": "a"}})").empty());
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
