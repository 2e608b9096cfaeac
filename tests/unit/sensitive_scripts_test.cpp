// SPDX-License-Identifier: MIT
#include "sensitive/names/build_calls.hpp"
#include "sensitive/scripts/known_pattern.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

using namespace shadow;

namespace {

void check_scripts(std::string_view name, std::initializer_list<const char*> texts, bool count) {
  for (const std::string text : texts) {
    CHECK_MESSAGE(sensitive::calls_of_build(name, text).empty() != count, text);
  }
}

void cmake_counts(std::initializer_list<const char*> texts) {
  check_scripts("cmakelists.txt", texts, true);
}

void cmake_may(std::initializer_list<const char*> texts) {
  check_scripts("cmakelists.txt", texts, false);
}

// By the definition of the signs.
bool fit(std::string_view name, std::string_view known) {
  if (name.empty() && known.empty()) {
    return true;
  }
  const bool some = !known.empty() && (known[0] == '*' || known[0] == '?');
  if (some && fit(name, known.substr(1))) {
    return true;
  }
  if (!name.empty() && name[0] == '*') {
    return fit(name.substr(1), known) || (!known.empty() && fit(name, known.substr(1)));
  }
  if (name.empty() || known.empty()) {
    return false;
  }
  return (some && (known[0] == '*' || name[0] != '_') && fit(name.substr(1), known)) ||
         (name[0] == known[0] && fit(name.substr(1), known.substr(1)));
}

}  // namespace

TEST_CASE("sensitive scripts: names with parts that are any fit as their signs say") {
  std::mt19937 chance{1};  // the same texts each time
  const auto text = [&chance](std::string_view letters, std::size_t most) {
    std::string made(chance() % (most + 1), ' ');
    for (char& c : made) {
      c = letters[chance() % letters.size()];
    }
    return made;
  };
  int fitting = 0;
  constexpr int kTries = 50'000;
  for (int i = 0; i < kTries; ++i) {
    const std::string known = text("ab_*?", 6);
    const std::string name = text("ab_*", 8);
    const bool fits = fit(name, known);
    fitting += fits ? 1 : 0;
    REQUIRE_MESSAGE(sensitive::KnownPattern{known}.may_be(name) == fits, name << " " << known);
  }
  CHECK(fitting > kTries / 20);
  CHECK(fitting < kTries - kTries / 20);
}

TEST_CASE("sensitive scripts: code in a text that a module of CMake's evaluates") {
  cmake_counts({"cmake_dependent_option(X \"d\" ON \"1)\nexecute_process(COMMAND x)\nif(1\" OFF)",
                "cmake_dependent_option(X d ON \"${c}\" OFF)",
                "cmake_dependent_option(X d ON \"A STREQUAL \\\"(\\\")\nx()\nif(1\" OFF)",
                "ExternalProject_Add(a CONFIGURE_COMMAND \"x]==])\nexecute_process(COMMAND y)\")",
                "set(c \"x]==])\nexecute_process(COMMAND y)\")"});
  cmake_may({"cmake_dependent_option(X \"help (it)\" ON \"A;NOT B\" OFF)",
             "cmake_dependent_option(X \"h\" ${D} \"A AND (B OR C)\" OFF)",
             "cmake_dependent_option(X \"h\" ON \"N STREQUAL \\\"Linux\\\"\" OFF)",
             "ExternalProject_Add(a URL x CMAKE_ARGS -DA=${B} INSTALL_COMMAND \"\")"});
}

TEST_CASE("sensitive scripts: the name of a variable that is put together") {
  cmake_counts({"set(${a}ILER ${CMAKE_SOURCE_DIR}/cc)", "set(CMAKE_${a} x)",
                "set(${a}_C_COMPILER x)", "set(CMAKE_C_${x} x)", "list(APPEND CMAKE_${x} y)",
                "string(CONCAT ${a}ER b c)", "string(REPLACE a b CMAKE_${x} c)",
                "foreach(${a}ILER x)\nendforeach()",
                "set_property(CACHE ${a}ILER PROPERTY VALUE x)", "find_program(${a}AR x)",
                "option(${a}UNCHER b)", "set(CM${${b}}R x)", "set(${x} ${CMAKE_SOURCE_DIR}/cc)",
                "set(${x}${y} ./cc PARENT_SCOPE)", "set(${a}KE_BINARY_DIR x)",
                "set(a CMAKE_BINARY)", "set(a cmake_c_compiler)"});
  cmake_may({"set(${PROJECT_NAME}_SOURCES a.c)", "set(${name}_FOUND TRUE)",
             "set(${out} ${result} PARENT_SCOPE)", "set(CMAKE_CXX_FLAGS_${type} -O2)",
             "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY_${type} ${CMAKE_BINARY_DIR}/bin)",
             "set(CMAKE_${lang}_FLAGS -O2)", "list(APPEND ${PROJECT_NAME}_LIBRARIES x)",
             "set(${PROJECT_NAME}_INCLUDE_DIRS ${CMAKE_CURRENT_SOURCE_DIR}/include)",
             "set(${name}_DIR ${CMAKE_CURRENT_SOURCE_DIR})", "list(APPEND ${out} a.c)",
             "string(TOUPPER ${name} upper)", "set(x ${a}ILER)", "set(${a}_HINTS y)",
             "set(x CMAKE_FIND)", "set(FOO_${x} y)"});
}

TEST_CASE("sensitive scripts: variables that say where compilers lie") {
  cmake_counts({"set(CMAKE_C_COMPILER_HINTS x)", "set(_CMAKE_TOOLCHAIN_LOCATION x)",
                "set(_CMAKE_C_COMPILER_PATHS x)", "set(_CMAKE_TOOLCHAIN_PREFIX x)",
                "set(CMAKE_AR_NAMES x)", "set(CMAKE_GENERATOR_CC x)",
                "set(CMAKE_C_COMPILER_EXTERNAL_TOOLCHAIN x)", "set(BOOST_ROOT ${CMAKE_SOURCE_DIR})",
                "set(BOOST_ROOT ./x)", "set(BOOST_ROOT /opt/../home)", "set(BOOST_ROOT /home/x)",
                "set(CMAKE_C_COMPILER /usr/bin/python3)", "set(A_ROOT /opt/x PARENT_HOME)"});
  cmake_may({"set(BOOST_ROOT /opt/boost)", "set(JAVA_HOME \"/usr/lib/jvm/java-17\" CACHE PATH x)",
             "foreach(_cmake_target a)\nendforeach()",
             "set_property(GLOBAL PROPERTY USE_FOLDERS ON)"});
}

TEST_CASE("sensitive scripts: options with which a compiler loads or writes") {
  cmake_counts(
      {"set(CMAKE_EXE_LINKER_FLAGS -Wl,-plugin,${CMAKE_SOURCE_DIR}/x)",
       "set(CMAKE_EXE_LINKER_FLAGS \"-Wl,-O1,--plugin=./x\")",
       "set(CMAKE_EXE_LINKER_FLAGS \"-Xlinker -plugin -Xlinker x\")",
       "add_link_options(LINKER:-plugin,x)", "set(CMAKE_C_FLAGS \"-MD -MF /x -MT y\")",
       "set(CMAKE_C_FLAGS -MF/x)", "set(CMAKE_C_FLAGS \"-aux-info ../x\")",
       "set(CMAKE_C_FLAGS -fdump-tree-all=${CMAKE_SOURCE_DIR}/x)",
       "set(CMAKE_C_FLAGS -fopt-info-vec=/x)", "set(CMAKE_EXE_LINKER_FLAGS -Wl,-Map=${X}/y)",
       "set(CMAKE_EXE_LINKER_FLAGS -Wl,-Map,../y)",
       "set(CMAKE_EXE_LINKER_FLAGS -Wl,--dependency-file=/y)", "set(CMAKE_C_FLAGS -Wa,-adhlns=/y)",
       "set(CMAKE_C_FLAGS \"-dumpdir /y\")", "set(CMAKE_C_FLAGS -fprofile-dir=/y)",
       "set(CMAKE_C_FLAGS \"-o /y\")", "set(CMAKE_C_FLAGS \"${CMAKE_C_FLAGS} -MF\")",
       "set(CMAKE_C_FLAGS --gcc-toolchain=/x)"});
  cmake_may({"set(CMAKE_C_FLAGS \"-Wall -MD -MF x.d\")",
             "set(CMAKE_EXE_LINKER_FLAGS \"-Wl,-Map=${CMAKE_BINARY_DIR}/x.map\")",
             "set(CMAKE_EXE_LINKER_FLAGS \"-Wl,-Map=${PROJECT_NAME}.map -Wl,--gc-sections\")",
             "set(CMAKE_C_FLAGS \"-fopt-info -ftime-trace -fprofile-arcs\")", "set(args -o ${out})",
             "set(NAME my-plugin)", "set(a --plugin=protoc-gen-x=${y})",
             "set(CMAKE_C_COMPILE_OBJECT \"<CMAKE_C> <FLAGS> -o <OBJECT> -c <SOURCE>\")",
             "set(CMAKE_C_FLAGS \"-I${CMAKE_SOURCE_DIR}/include -DX=/y\")"});
}

TEST_CASE("sensitive scripts: modules of CMake's that write where they are told") {
  cmake_counts({"write_compiler_detection_header(FILE ../.git/config PREFIX x)",
                "set(CPACK_OUTPUT_CONFIG_FILE x)", "set(CPACK_SOURCE_OUTPUT_CONFIG_FILE x)",
                "cpack_ifw_configure_file(a b)", "write_qt4_conf(a b)",
                "copy_resolved_item_into_bundle(a b)", "fixup_bundle(a b c)",
                "FortranCInterface_HEADER(${CMAKE_SOURCE_DIR}/x)",
                "ExternalProject_Add(a TMP_DIR /x)", "ExternalProject_Add(a PREFIX ${x})",
                "ExternalProject_Add(a STAMP_DIR ../.git)",
                "set_property(DIRECTORY PROPERTY EP_BASE /x)",
                "set_directory_properties(PROPERTIES EP_PREFIX ${CMAKE_SOURCE_DIR})"});
  cmake_may({"write_compiler_detection_header(FILE a.h PREFIX x)", "FortranCInterface_HEADER(a.h)",
             "ExternalProject_Add(a PREFIX ${CMAKE_BINARY_DIR}/a TMP_DIR tmp)",
             "set_property(DIRECTORY PROPERTY EP_BASE ${CMAKE_BINARY_DIR}/ep)",
             "set_target_properties(a PROPERTIES PREFIX \"\")",
             "set(CPACK_GENERATOR TGZ)\ninclude(CPack)"});
}

TEST_CASE("sensitive scripts: code that is brought into what is checked by running it") {
  cmake_counts({"set(CMAKE_REQUIRED_FLAGS \"-include ${CMAKE_SOURCE_DIR}/e.h\")",
                "set(CMAKE_REQUIRED_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/x)",
                "list(APPEND CMAKE_REQUIRED_LIBRARIES ${CMAKE_SOURCE_DIR}/x.so)",
                "set(CMAKE_REQUIRED_LINK_OPTIONS ./x.o)", "set(CMAKE_C_FLAGS \"-imacros x.h\")",
                "set(CMAKE_REQUIRED_DEFINITIONS \"-Dmain(x)=y\")"});
  cmake_may({"set(CMAKE_REQUIRED_FLAGS \"-std=c11 -Werror\")",
             "set(CMAKE_REQUIRED_LIBRARIES ${CURL_LIBRARIES} m)",
             "list(APPEND CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE)",
             "set(CMAKE_REQUIRED_INCLUDES ${OPENSSL_INCLUDE_DIR})", "unset(CMAKE_REQUIRED_FLAGS)"});
}

TEST_CASE("sensitive scripts: what meson runs as it configures") {
  check_scripts("meson.build",
                {"cc.sizeof('int', prefix: 'int f(void) { return 1; }')",
                 "cc.sizeof('int); f(\"x\"); (int')",
                 "cc.sizeof(t)",
                 "cc.alignment('a', prefix: '''#include \"a.h\"''')",
                 "cc.compute_int('1', args: ['-include', '/x'])",
                 "cc.compute_int('f(1)')",
                 "cc.sizeof('a',\n  prefix: code)",
                 "cc.sizeof('a', include_directories: inc)",
                 "cc.sizeof('a', kwargs: k)",
                 "e = import('unstable-external_project')",
                 "h = import('hotdoc')",
                 "import('unstable-ext\\x65rnal_project')",
                 "import(name)",
                 "import('dlang').generate_dub_file('a', '/x')",
                 "project('a', 'c', default_options: ['c_args=-include/x.h'])",
                 "project('a', 'c',\n  default_options: ['c_link_args=-Wl,-plugin,/x'])",
                 "project('a', 'c', default_options: {'c_args': ['-include', 'x.h']})",
                 "project('a', 'c', default_options: ['c_' + 'args=-I/x'])",
                 "project('a', 'c', default_options: ['c_args=-I/x'])",
                 "project('a', 'c', default_options: ['pkg_config_path=/x'])",
                 "configure_file(output: 'a', command: ['x'])",
                 "configure_file(output: 'a', kwargs: k)",
                 "configure_file(input: 'a', output: name, configuration: c)",
                 "configure_file(input: 'a', output: 'compile_commands.json', copy: true)",
                 "configure_file(input: '.clangd.in', output: '@BASENAME@', configuration: c)",
                 "cc.links('x', args: ['-MF', '/x'])",
                 "cc.links('x', args: '-Wl,-Map=' + x)"},
                true);
  check_scripts(
      "meson.build",
      {"cc.sizeof('time_t', prefix: '#include <time.h>')",
       "cc.sizeof('struct a *', prefix : '#define _GNU_SOURCE\\n#include <sys/a.h>')",
       "cc.sizeof('a', prefix: '''\n#include <a.h>\n  #include <b.h>\n''', dependencies: d)",
       "cc.compute_int('sizeof(int)', low: 1, high: 8)", "cc.alignment('int')",
       "cc.sizeof('a', args: '-D_GNU_SOURCE')", "fs = import('fs')",
       "pkg = import('pkgconfig', required: false)",
       "project('a', 'c', license: 'GPL-2.0+', default_options: ['c_std=c11', 'werror=true'])",
       "project('a', 'c', default_options: ['c_args=-O2 -DX', 'b_lto=true'])",
       "configure_file(output: 'config.h', configuration: conf)",
       "configure_file(input: 'a.h.in', output: 'a.h',\n  configuration: {'A': f('x')})",
       "configure_file(input: 'x/a.h.in', output: '@BASENAME@', configuration: c)",
       "custom_target('a', command: [x, '-o', '@OUTPUT@', '-MF', '@DEPFILE@'])",
       "cc.links('x', args: ['-Wl,-Map=a.map'])"},
      false);
  // A bracket in a text ends no call.
  CHECK(sensitive::calls_of_build("meson.build", "run_command('a)',\n  'b')\nx = 1\n") ==
        "run_command('a)',\n  'b')\n");
}

TEST_CASE("sensitive scripts: very many calls are judged in time") {
  const auto begin = std::chrono::steady_clock::now();
  const auto repeated = [](std::string_view part) {
    std::string text;
    while (text.size() < 1'000'000) {
      text += part;
    }
    return text;
  };
  for (const char* part :
       {"cc.sizeof('a', ", "configure_file(output: 'a', ", "import('a', ", "'''", "project("}) {
    (void)sensitive::calls_of_build("meson.build", repeated(part));
  }
  for (const char* part : {"${a}", "-", "$", "+-", "${"}) {
    (void)sensitive::calls_of_build("x.cmake", "set(" + repeated(part) + " x)");
  }
  std::string longest;
  while (longest.size() < 600) {
    longest += "${a}b";
  }
  (void)sensitive::calls_of_build("x.cmake", repeated("set(z" + longest + " x)\n"));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{20});
}
