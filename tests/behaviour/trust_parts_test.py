# SPDX-License-Identifier: MIT
"""Files that are sensitive in part: every way to say what counts, in every form that the program takes; and what may
change all the same."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402

REFUSED = 4
# What a CMake script does as it is configured.
CMAKE = (
    "set(ENV{CC} ${CMAKE_SOURCE_DIR}/cc)", "set( ENV{LD_PRELOAD}\n./x.so)", "set(CMAKE_C_COMPILER;./cc)",
    "set(CMAKE_C_COMPILER\t./cc)", "set(CMAKE_C_COMPILER#[[x]] ./cc)", "set(Python3_EXECUTABLE\n./py)",
    "set(\n# a comment )\nPython3_ROOT_DIR ./py)", "set(CMAKE_C_FLAGS \"-fplugin=${CMAKE_SOURCE_DIR}/x.so\")",
    "set(CMAKE_C_FLAGS \"-Wall -B${CMAKE_SOURCE_DIR}/bin/\")", "check_c_compiler_flag(-B./bin X)", "set(CMAKE_LINKER ./ld)",
    "set(CMAKE_MAKE_PROGRAM ./make)", "set(HOSTNAME ./name)\nsite_name(X)", "set(CMAKE_C_COMPILER_ARG1 -wrapper)",
    "file(WRITE $ENV{HOME}/.profile x)", "file(APPEND ${CMAKE_SOURCE_DIR}/.git/hooks/pre-commit x)",
    "file(WRITE ${CMAKE_BINARY_DIR}/../.git/hooks/pre-commit x)", "FILE(\nDOWNLOAD http://x.org x)",
    "file(COPY hooks DESTINATION .git)", "file(GENERATE OUTPUT /x CONTENT y)", "write_file(/x y)",
    "configure_file(a.in ${CMAKE_SOURCE_DIR}/.git/config)", "configure_file(a.in ../.git/config)",
    "set(x \\()\nexecute_process(COMMAND ./x)", "message(\")\")\nexecute_process(COMMAND ./x)", "include([[data.txt]])",
)
# Where it writes: relative paths are of the sources for some calls and of the build directory for others, and a list, an
# escape or the project's name may lead out.
CMAKE_WRITES = (
    "file(APPEND .git/config \"[core]\\n fsmonitor=x\")", "file(WRITE a.txt x)", "file(TOUCH .git/hooks/x)", "file(LOCK .git/x)",
    "file(CHMOD .git/hooks/x PERMISSIONS OWNER_EXECUTE)", "file(CHMOD_RECURSE tools PERMISSIONS OWNER_EXECUTE)", "write_file(a.txt x)",
    "set(op APPEND)\nfile(${op} .git/config x)", "configure_file(a .\\./.git/config)", "configure_file(a ~/.bashrc)",
    "set(x a .git/config)\nconfigure_file(${x})", "configure_file(a \"b;c\")", "add_subdirectory(src ${CMAKE_SOURCE_DIR}/.git)",
    "add_subdirectory(src ../.git)", "set(CMAKE\\_C\\_COMPILER ./cc)", "set(\"CMAKE_C_\\\nCOMPILER\" ./cc)",
    "generate_export_header(a EXPORT_FILE_NAME ${CMAKE_SOURCE_DIR}/.git/config)", "feature_summary(FILENAME .git/x APPEND WHAT ALL)",
)
# What is written there is run, or the places by which that is judged are others.
CMAKE_GENERATED = (
    "configure_file(notes.txt Gen.cmake)", "configure_file(notes.txt gen/CMakeLists.txt)", "configure_file(x/CMakeLists.txt .)",
    "configure_file(notes.txt GenConfig.cmake)", "configure_file(FooConfig.cmake.in FooConfig.cmake)", "configure_file(notes.txt x.cmake.in)",
    "configure_package_config_file(notes.txt FooConfig.cmake INSTALL_DESTINATION x)", "file(WRITE ${CMAKE_BINARY_DIR}/X.cmake x)",
    "write_basic_package_version_file(x.cmake VERSION \"${X}\" COMPATIBILITY ExactVersion)", "configure_file(a compile_commands.json)",
    "add_subdirectory(${CMAKE_CURRENT_BINARY_DIR}/gen)", "find_package(Gen PATHS ${CMAKE_CURRENT_BINARY_DIR})",
    "list(APPEND CMAKE_MODULE_PATH ${CMAKE_BINARY_DIR})", "set(PROJECT_NAME ${CMAKE_SOURCE_DIR})", "project(\"../.git\")",
    "set(CMAKE_BINARY_DIR ${CMAKE_SOURCE_DIR})", "foreach(PROJECT_NAME a b)\nendforeach()", "set(PROJECT\\_NAME x)",
    "string(CONCAT CMAKE_CURRENT_BINARY_DIR a b)", "function(f PROJECT_NAME)\nendfunction()", "configure_file(a ${project_name}/b)",
    "cmake_parse_arguments(PROJECT \"\" NAME \"\" NAME x)", "configure_file(a ${PROJECT_NAME}.txt)", "set(JAVA_HOME ${CMAKE_SOURCE_DIR})",
    "set(CMAKE_PROJECT_a_INCLUDE x.txt)", "set(CMAKE_UNAME ./x)", "load_cache(x)", "set(CMAKE_INSTALL_PREFIX ${CMAKE_SOURCE_DIR})",
)
# What CMake's modules evaluate or write, what compilers load or write as they are tried, and variables of a name put together.
CMAKE_TRIED = (
    "cmake_dependent_option(X d ON \"1)\nexecute_process(COMMAND x)\nif(1\" OFF)", "set(a CMAKE_C_COMP)\nset(${a}ILER ${CMAKE_SOURCE_DIR}/cc)",
    "set(CMAKE_C_COMPILER_HINTS ${CMAKE_SOURCE_DIR})", "set(_CMAKE_TOOLCHAIN_LOCATION ${CMAKE_SOURCE_DIR})",
    "set(CMAKE_EXE_LINKER_FLAGS -Wl,-plugin,${CMAKE_SOURCE_DIR}/data.bin)", "set(CMAKE_C_FLAGS \"-MD -MF /tmp/x -MT y\")",
    "set(CMAKE_EXE_LINKER_FLAGS -Wl,-Map=${CMAKE_SOURCE_DIR}/x)", "set(CPACK_OUTPUT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/x)",
    "ExternalProject_Add(a TMP_DIR ${CMAKE_SOURCE_DIR}/.git)", "set(CMAKE_REQUIRED_FLAGS \"-include ${CMAKE_SOURCE_DIR}/e.h\")")
CMAKE_MAY = (
    "set(CMAKE_CXX_STANDARD 20)", "set(${PROJECT_NAME}_SOURCES a.c)", "set(BOOST_ROOT /opt/boost)", "set(CMAKE_REQUIRED_LIBRARIES m)",
    "set(CMAKE_CXX_FLAGS \"-Wall -Wl,-Bsymbolic\")", "configure_file(a.h.in a.h @ONLY)",
    "configure_file(a.h.in ${CMAKE_CURRENT_BINARY_DIR}/${PROJECT_NAME}.h)", "file(GLOB all *.c)",
    "file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/a.c \"int a;\")", "find_package(Threads REQUIRED)", "message(\"execute_process\")",
    "if(CMAKE_C_COMPILER MATCHES gcc)\nendif()", "target_compile_options(a PRIVATE -Wall) # execute_process(x)",
    "add_executable(test_executable a.c)", "target_link_libraries(a my_compiler)", "find_package(Boost 1.70 COMPONENTS system)",
    "configure_file(\"${PROJECT_SOURCE_DIR}/v.h.in\" \"${PROJECT_BINARY_DIR}/${PROJECT_NAME}/v.h\")", "add_subdirectory(src EXCLUDE_FROM_ALL)",
    "list(APPEND CMAKE_MODULE_PATH \"${CMAKE_CURRENT_SOURCE_DIR}/cmake\")", "configure_file(FooConfig.cmake.in FooConfig.cmake @ONLY)",
    "configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/FooConfig.cmake.in ${PROJECT_NAME}Config.cmake INSTALL_DESTINATION x)",
    "write_basic_package_version_file(FooConfigVersion.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY ExactVersion)", "set(project_name a)",
    "configure_file(Doxyfile.in Doxyfile @ONLY)", "configure_file(a.pc.in ${PROJECT_NAME}.pc @ONLY)", "set(CMAKE_INSTALL_PREFIX /usr)",
)
TEMPLATE_MAY = "@PACKAGE_INIT@\ninclude(\"${CMAKE_CURRENT_LIST_DIR}/@PROJECT_NAME@Targets.cmake\")\ncheck_required_components(Foo)\n"
MESON = ("cc.run ('int main(){}')", "cc . run('x')", "x = (cc\n.run\n('x'))", "x = (cc.\nrun('x'))", "cc.compiles('x', args: ['-fplugin=./x.so'])",
         "cc.links('x', args: ['-B' + meson.current_source_dir()])", "cc.sizeof('int', prefix: 'int f(void);')",
         "import('unstable-external_project').add_project('configure')", "import('hotdoc')", "configure_file(output: 'a', command: ['x'])")
MESON_PROJECT = "project('a', 'c', default_options: ['c_args=-include/tmp/e.h'])\n"
MESON_MAY = ("configure_file(output: 'a.h', configuration: {})", "cc.sizeof('time_t', prefix: '#include <time.h>')", "executable('a', 'a.c')", "test('run', a) # run", "cc.compiles('x', args: ['-Wall'])")
XML = "<project><?m2e execute?></project>"
OTHERS = {
    "tsconfig.json": (
        '{"vueCompilerOptions": {"plugins": ["./x.js"]}}', '{"glint": {"environment": ["./x"]}}',
        '{"mdx": {"plugins": ["./x"]}}', '{"compilerOptions": {"plugins": [{"name": "x"}]}, "compilerOptions": {"strict": true}}',
        '{"compilerOptions": {"plugins": [{"name": "x"}], "plugins": []}}', '{"files": [], "references": [{"path": "./o.json"}]}',
        '{"references": [{"path": "./o.json", "path": "./a"}]}', '{"extends": ["./tsconfig.base.json", "./base"]}', '{"extends": "./o.json"}',
        '{"extends": "/tmp/tsconfig.json"}', '{"compilerOptions": {"\\x70lugins": [{"name": "x"}]}}',
        '{"compilerOptions": {"plu\\\ngins": [{"name": "x"}]}}',
        "\ufeff{\"compilerOptions\": {\"plugins\": [{\"name\": \"x\"}]}}".encode("utf-16-le"),
        "\ufeff{\"compilerOptions\": {\"plugins\": [{\"name\": \"x\"}]}}".encode("utf-16-be")),
    "pom.xml": (("\ufeff" + XML).encode("utf-16-le"), XML.encode("utf-16-be"), XML.encode("cp037"),
                "<project><groupId>org.eclipse.m2<![CDATA[e]]></groupId></project>",
                "<project><groupId>org.eclipse.m&#50;e</groupId></project>",
                '<?xml version="1.0" encoding="UTF-7"?><project>+ADw-?m2e execute?+AD4-</project>'),
    "cspell.yaml": ("x: &i import\n*i : [./e.js]\n", "? import\n: [./e.js]\n", "<<: *a\n", '"\\x69mport": [./e.js]\n', "{ import\n : [./e.js] }\n",
                    "!!str import: [./e.js]\n", "words: []\n---\nimport: [./e.js]\n", '{"words": [],\n"import": ["./e.js"]}\n', "words: []\rimport: [./e.js]\r"),
    "cspell.json": ('{"import"\n:["./x.js"]}', '{"import"/* */:["./x.js"]}', "\ufeff{\"import\":[\"./x.js\"]}".encode("utf-16-le")),
    "setup.cfg": ("[mypy] =\npython_executable = ./x\n", "[mypy]\rpython_executable = ./x\r", "\x0c[mypy]\npython_executable = ./x\n",
                  "\xa0[mypy] # a = b\npython_executable = ./x\n", "[DEFAULT]\npython_executable = ./x\n", "[metadata]\nname = x\n[mypy] ; = \nmypy_path: x\n"),
    "package.json": ('{"bin": {"x": "./x"}}', '{"directories": {"bin": "tl"}}', '{"jest": {"globalSetup": "./x"}, "jest": {}}', '{"config": {"commitizen": {"path": "./x"}}}', '{"mocha": {"require": "./x"}}', '{"semistandard": {"parser": "./x"}}',
                     '{"postcss": {"plugins": {"./x": {}}}}', '{"pnpm": {"configDependencies": {"x": "1"}}}'),
    "composer.json": ('{"extra": {"hooks": {"pre-commit": "x"}}}',),
    "pyproject.toml": ("[tool.pyrefly]\npython-interpreter = './x'", "[tool.robocop]\next-rules = ['x.py']", "[tool.autohooks]\npre-commit = ['x']",
                       "[tool.poetry.requires-plugins]\nx = '1'", "[tool]\n\"u\\x76\" = {index-url = 'x'}", "[tool.mypy] # a = b\npython_executable = './x'",
                       "tool = {mypy = {python_executable = './x'}}", "['tool'.\"mypy\"]\npython_executable = './x'", "tool . 'mypy' . python_executable = './x'",
                       "[[tool.mypy.overrides]]\na = 1", "[tool]\nuv = {index-url = 'x'}"),
    "Cargo.toml": ("[lib]\n\"proc\\x2dmacro\" = true",),
    ".rubocop_todo.yml": ("require:\n  - ./x\n", '!!str "\\x72equire": ./x\n', '{\na: 1, "\\x72equire": ./x}\n', "x: &r require\n*r : ./x\n", "- ? require\n  : ./x\n"),
    "phpstan-baseline.neon": ("parameters:\n  bootstrapFiles: [x.php]\n", "parameters:\n\tdoctrine:\n\t\tobjectManagerLoader: x.php\n",
                              "parameters:\n\tsymfony:\n\t\tconsoleApplicationLoader: x.php\n"),
}
OTHERS_MAY = {
    "tsconfig.json": '{"extends": "./tsconfig.base.json", "compilerOptions": {"strict": true}, "references": [{"path": "../core"}]}',
    "setup.cfg": "[metadata]\nname = x\n[options]\ninstall_requires =\n  mypy\n",
    "cspell.yaml": "words:\n  - import\nignorePaths:\n  - '**/*.md'\n  - \"*.lock\"\n",
    "pom.xml": '<?xml version="1.0" encoding="UTF-8"?><project><name>x</name></project>',
    "cspell.json": '{"words": ["important"]}',
    "pyproject.toml": "[project]\ndependencies = ['mypy', 'pylint']\n[tool.black]\nline-length = 99 # as mypy",
    ".rubocop_todo.yml": "Style/Documentation:\n  Enabled: false\n",
    "phpstan-baseline.neon": "parameters:\n  ignoreErrors:\n    - message: '#^Class A\\\\B not found\\.$#'\n      count: 1\n",
}


def held(w, name, text):
    """Made in a session, it stops an apply."""
    w.shadow("run", "--", "sh", "-c", f"cat >{name}", stdin=text if isinstance(text, bytes) else text.encode())
    done = w.shadow("apply", "--yes", check=False)
    assert done.returncode == REFUSED and f"  {name} (" in done.err, (name, text, done.returncode, done.out, done.err)
    w.shadow("discard", "--yes")


def goes(w, name, text):
    w.shadow("run", "--", "sh", "-c", f"cat >{name}", stdin=text.encode())
    done = w.shadow("apply", "--yes")
    assert done.out.startswith("applied ") and w.read(name) == text, (name, text, done.out)


def test_cmake(w):
    """Calls of CMake that run something or tell what is run; not a call in a comment or a text."""
    begin = "cmake_minimum_required(VERSION 3.20)\n"
    w.git_project({"CMakeLists.txt": begin, "x.cmake": ""})
    for call in CMAKE + CMAKE_TRIED:
        held(w, "CMakeLists.txt", f"{begin}{call}\nproject(a C)\n")
    held(w, "x.cmake", CMAKE[0] + "\n")
    goes(w, "CMakeLists.txt", begin + "\n".join(CMAKE_MAY) + "\n")


def test_where_cmake_writes(w):
    """Calls of CMake that write, or may write, outside of the build directory."""
    w.git_project({"CMakeLists.txt": ""})
    for call in CMAKE_WRITES:
        held(w, "CMakeLists.txt", call + "\n")


def test_what_cmake_generates(w):
    """Calls by which CMake runs what it has written to the build directory; the usual template of a package may be one."""
    w.git_project({"CMakeLists.txt": ""})
    for call in CMAKE_GENERATED:
        held(w, "CMakeLists.txt", call + "\n")
    for text in ("@X@\n", "set(A \"@X@\")\n", "# @X@\n", "@PACKAGE_INIT@\nexecute_process(COMMAND x)\n"):
        held(w, "FooConfig.cmake.in", text)
    goes(w, "FooConfig.cmake.in", TEMPLATE_MAY)


def test_meson(w):
    """The same of meson, with blanks wherever it takes them."""
    begin = "project('a', 'c')\ncc = meson.get_compiler('c')\n"
    w.git_project({"meson.build": begin})
    for call in MESON:
        held(w, "meson.build", f"{begin}{call}\n")
    held(w, "meson.build", MESON_PROJECT)
    goes(w, "meson.build", begin + "\n".join(MESON_MAY) + "\n")


def test_other_files(w):
    """Parts of settings, in other letters, encodings and places of a line."""
    w.git_project({name: OTHERS_MAY.get(name, "") if name.endswith("xml") else "" for name in OTHERS})
    for name, texts in OTHERS.items():
        for text in texts:
            held(w, name, text)
    for name, text in OTHERS_MAY.items():
        goes(w, name, text + "\n")


def test_values_further_in(w):
    """What a key loads goes on in keys that stand further in, and in strings and lists over several lines."""
    files = {"phpstan-a.neon": "services:\n\t-\n\t\tclass: A\n\t\targuments: [1]\nparameters:\n\tlevel: 5\n",
             "pyproject.toml": "[tool.mypy]\nx = [\n['a'],\n]\ny = \"\"\"\n[project]\n\"\"\"\npython_executable = './a'\n",
             "setup.cfg": "[mypy]\nplugins =\n  [black]\npython_executable = ./a\n", "cspell.yaml": "import: *p\nx: &p\n  - ./a\n"}
    w.git_project(files)
    for name, old, new in (("phpstan-a.neon", "class: A", "class: B"), ("pyproject.toml", "./a", "./b"), ("setup.cfg", "./a", "./b"),
                           ("cspell.yaml", "./a", "./b")):
        held(w, name, files[name].replace(old, new))
    goes(w, "phpstan-a.neon", files["phpstan-a.neon"].replace("5", "6"))


def test_files_of_builds_by_other_names(w):
    """What Maven, MSBuild and Gradle take in by way of the project's own files counts as these do, whatever it is called."""
    w.git_project({"pom.xml": "<project><parent><relativePath>tl/parent.xml</relativePath></parent><modules><module>core</module>"
                              "</modules></project>\n", "tl/parent.xml": "<project/>\n", "tl/other.xml": "<project/>\n",
                   "core/pom.xml": "<project><modules><module>in.pom</module></modules></project>\n", "core/in.pom": "<project/>\n",
                   "a.csproj": '<Project><Import Project="$(MSBuildThisFileDirectory)tl\\c.xml" /></Project>\n', "tl/c.xml": "<Project/>\n",
                   "build.gradle": 'apply from: "$rootDir/tl/deps.txt"\n', "tl/deps.txt": "1\n"})
    evil = "<project><build><extensions><extension/></extensions></build></project>\n"
    for name, text in (("tl/parent.xml", evil), ("core/in.pom", evil), ("tl/c.xml", "<Project> </Project>\n"), ("tl/deps.txt", "2\n")):
        held(w, name, text)
    goes(w, "tl/parent.xml", "<project><name>x</name></project>\n")
    goes(w, "tl/other.xml", evil)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
