// SPDX-License-Identifier: MIT
#include "sensitive/scripts/cmake_variables.hpp"

#include "base/ascii.hpp"
#include "base/words.hpp"
#include "sensitive/scripts/compiler_options.hpp"
#include "sensitive/scripts/known_pattern.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::sensitive {

namespace {

// cmake-variables(7), cmake-properties(7), and what CMake's own modules ask.
bool tells_programs(const std::string& word) {
  constexpr std::array<std::string_view, 15> kParts = {"_launcher",
                                                       "toolchain_file",
                                                       "make_rules",
                                                       "project_include",
                                                       "_include_before",
                                                       "cmake_prefix_path",
                                                       "cmake_program_path",
                                                       "cmake_find_root_path",
                                                       "cmake_system_p",
                                                       "cmake_appbundle_p",
                                                       "cmake_framework_path",
                                                       "test_include_file",
                                                       "cmake_get_runtime_dependencies",
                                                       "_compiler_hints",
                                                       "_compiler_external_toolchain"};
  // The last are those of CMake's own modules, FindJava and others.
  constexpr std::array<std::string_view, 12> kEndsOfVariables = {
      "_compiler",   "_executable", "_root_dir",
      "_root",       "_home",       "_standalone_toolchain",
      "gdal_config", "odbc_config", "xmlrpc_c_config",
      "_tclsh",      "_program",    "envmodules_command"};
  // Those from "_names" on are of CMakeDetermineCompiler and CMakeFindBinUtils.
  constexpr std::array<std::string_view, 20> kOfCmake = {"_arg1",
                                                         "_linker",
                                                         "_make_program",
                                                         "_ar",
                                                         "_ranlib",
                                                         "_nm",
                                                         "_mt",
                                                         "_emulator",
                                                         "_sysroot",
                                                         "_objcopy",
                                                         "_generator_instance",
                                                         "_uname",
                                                         "_install_name_tool",
                                                         "_names",
                                                         "_compiler_list",
                                                         "_compiler_init",
                                                         "_compiler_env_var",
                                                         "_generator_cc",
                                                         "_generator_cxx",
                                                         "_generator_fc"};
  return has_part(word, kParts) || has_end(word, kEndsOfVariables) || word == "hostname" ||
         word.starts_with("cmake_generator_") ||
         (word.starts_with("cmake_") && has_end(word, kOfCmake)) ||
         (word.starts_with("cmake_project_") && word.find("_include") != std::string::npos);
}

// "set(BOOST_ROOT /opt/boost)": a directory of the system's, which no session writes to.
bool hints_at_system(const CmakeCall& call) {
  constexpr std::array<std::string_view, 3> kHints = {"_root", "_root_dir", "_home"};
  constexpr std::array<std::string_view, 2> kSystem = {"/usr/", "/opt/"};
  constexpr std::string_view kUnknown = "$@<\\;";
  return call.name == "set" && call.arguments.size() > 1 && has_end(call.arguments[0], kHints) &&
         call.arguments[0].find_first_of(kUnknown) == std::string::npos &&
         std::any_of(
             kSystem.begin(), kSystem.end(),
             [&](std::string_view system) { return call.written[1].text.starts_with(system); }) &&
         call.written[1].text.find("..") == std::string::npos &&
         call.written[1].text.find_first_of(kUnknown) == std::string::npos &&
         std::none_of(call.arguments.begin() + 1, call.arguments.end(), tells_programs);
}

// The variables in it become "*": "${a}ILER". In small letters.
std::string pattern_of_name(std::string_view text) {
  std::string pattern;
  for (std::size_t at = 0; at < text.size(); ++at) {
    // "${", "$ENV{", "$CACHE{"
    const std::size_t brace = text[at] == '$' ? text.substr(at, 7).find('{') : std::string::npos;
    if (brace != std::string_view::npos) {
      int open = 0;
      for (at += brace; at < text.size(); ++at) {
        open += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (open == 0) {
          break;
        }
      }
      pattern += '*';
    } else {
      pattern += text[at];
    }
  }
  return lower_ascii(pattern);
}

// Of the names that count, those that CMake or its modules really ask for; "?" is a language.
constexpr std::array<std::string_view, 38> kNamesOfPrograms = {"cmake_?_compiler",
                                                               "cmake_?_compiler_arg1",
                                                               "cmake_?_compiler_hints",
                                                               "cmake_?_compiler_names",
                                                               "cmake_?_compiler_list",
                                                               "cmake_?_launcher",
                                                               "cmake_toolchain_file",
                                                               "cmake_prefix_path",
                                                               "cmake_program_path",
                                                               "cmake_module_path",
                                                               "cmake_find_root_path",
                                                               "cmake_system_prefix_path",
                                                               "cmake_system_program_path",
                                                               "cmake_user_make_rules_override",
                                                               "cmake_user_make_rules_override_c",
                                                               "cmake_user_make_rules_override_cxx",
                                                               "cmake_project*_include",
                                                               "cmake_project*_include_before",
                                                               "cmake_project_top_level_includes",
                                                               "cmake_make_program",
                                                               "cmake_linker",
                                                               "cmake_ar",
                                                               "cmake_ranlib",
                                                               "cmake_nm",
                                                               "cmake_uname",
                                                               "cmake_crosscompiling_emulator",
                                                               "cmake_sysroot",
                                                               "_cmake_toolchain_location",
                                                               "_cmake_toolchain_prefix",
                                                               "_cmake_toolchain_suffix",
                                                               "_cmake_?_compiler_paths",
                                                               "cmake_binary_dir",
                                                               "cmake_current_binary_dir",
                                                               "cmake_source_dir",
                                                               "cmake_current_source_dir",
                                                               "cmake_current_list_dir",
                                                               "project_binary_dir",
                                                               "cmake_asm_nasm_compiler"};
static_assert(std::all_of(kNamesOfPrograms.begin(), kNamesOfPrograms.end(),
                          [](std::string_view name) {
                            return name.size() <= KnownPattern::kLongest;
                          }));

// "${name}_DIR" is what many scripts write: of these the beginning counts
// (is_beginning_of_program).
constexpr std::array<std::string_view, 8> kUsualEnds = {
    "_dir", "_path", "_include", "_list", "_includes", "_linker", "_names", "_hints"};

bool is_usual_name(std::string_view pattern) {
  const std::string_view end = pattern.substr(pattern.rfind('*') + 1);
  return pattern.starts_with('*') && end.starts_with('_') && has_end(end, kUsualEnds);
}

// "set(a CMAKE_BINARY)", which another call may make "${a}_DIR" of.
bool is_beginning_of_program(std::string_view word) {
  return std::any_of(
      kNamesOfPrograms.begin(), kNamesOfPrograms.end(), [word](std::string_view name) {
        return name.starts_with("cmake_") && word.size() > std::string_view{"cmake_"}.size() &&
               name.starts_with(word) && is_one_of(name.substr(word.size()), kUsualEnds);
      });
}

constexpr std::string_view kOfNoName = "*_";

bool may_be_name_of_program(std::string_view pattern) {
  static const std::vector<KnownPattern> known{kNamesOfPrograms.begin(), kNamesOfPrograms.end()};
  return std::any_of(known.begin(), known.end(),
                     [pattern](const KnownPattern& one) { return one.may_be(pattern); });
}

bool may_be_program(const std::string& name) {
  constexpr std::string_view kOfPatterns = "abcdefghijklmnopqrstuvwxyz0123456789_*";
  const std::string pattern = pattern_of_name(name);
  constexpr std::size_t kLongest = 256;  // of names that a person gives
  return pattern.find('*') != std::string::npos &&
         pattern.find_first_not_of(kOfPatterns) == std::string::npos &&
         pattern.find_first_not_of(kOfNoName) != std::string::npos && !is_usual_name(pattern) &&
         (pattern.size() > kLongest || may_be_name_of_program(pattern));
}

bool leads_into_project(std::string_view value) {
  constexpr std::array<std::string_view, 6> kProject = {"source_dir}", "binary_dir}", "_list_dir}",
                                                        "_list_file}", "@cmake_",     "env{pwd}"};
  const std::string small = lower_ascii(value);
  return small.starts_with("./") || small.starts_with("../") || has_part(small, kProject);
}

// Which of the arguments are names of variables that the call sets: cmake-commands(7).
std::pair<std::size_t, std::size_t> names_set(const CmakeCall& call) {
  constexpr std::array<std::string_view, 5> kFirst = {
      "set", "option", "foreach", "separate_arguments", "cmake_parse_arguments"};
  const std::size_t all = call.arguments.size();
  if (is_one_of(call.name, kFirst) || call.name.starts_with("find_") ||
      call.name.starts_with("get_")) {
    return {0, std::min<std::size_t>(1, all)};
  }
  if (call.name == "list") {
    return {std::min<std::size_t>(1, all), std::min<std::size_t>(2, all)};
  }
  constexpr std::array<std::string_view, 3> kAppend = {"append", "prepend", "concat"};
  if (call.name == "string" && all > 1 && is_one_of(call.arguments[0], kAppend)) {
    return {1, 2};
  }
  if (call.name == "string" || call.name == "cmake_path") {
    return {std::min<std::size_t>(1, all), all};
  }
  if (call.name == "set_property" && all > 1 && call.arguments.front() == "cache") {
    const auto end = std::find(call.arguments.begin(), call.arguments.end(), "property");
    return {1, static_cast<std::size_t>(end - call.arguments.begin())};
  }
  return {0, 0};
}

bool sets_computed_name(const CmakeCall& call) {
  const auto [begin, end] = names_set(call);
  for (std::size_t n = begin; n < end; ++n) {
    if (may_be_program(call.arguments[n])) {
      return true;
    }
  }
  // "set(${name} ${CMAKE_SOURCE_DIR}/x)" may set any.
  const bool any =
      call.name == "set" && !call.arguments.empty() &&
      call.arguments.front().find('$') != std::string::npos &&
      pattern_of_name(call.arguments.front()).find_first_not_of(kOfNoName) == std::string::npos;
  return any && std::any_of(call.arguments.begin() + 1, call.arguments.end(), leads_into_project);
}

// A condition that closes the bracket in which the module evaluates it, or may do so.
bool may_end_condition(std::string_view condition) {
  if (condition.find_first_of("$@#[") != std::string_view::npos) {
    return true;
  }
  int open = 0;
  for (const char c : condition) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (open < 0) {
      return true;
    }
  }
  // A bracket in quotes is none.
  return condition.find('"') != std::string_view::npos &&
         condition.find_first_of("()") != std::string_view::npos;
}

}  // namespace

bool sets_programs(const CmakeCall& call) {
  // "_CMAKE_TOOLCHAIN_LOCATION", "_CMAKE_C_COMPILER_PATHS": cmake-language(7) keeps these names for
  // CMake itself. Its exported targets have such in small letters.
  const bool of_cmake =
      std::any_of(call.written.begin(), call.written.end(),
                  [](const CmakeArgument& one) { return one.text.starts_with("_CMAKE_"); });
  return of_cmake ||
         std::any_of(call.arguments.begin(), call.arguments.end(), is_beginning_of_program) ||
         (std::any_of(call.arguments.begin(), call.arguments.end(), tells_programs) &&
          !hints_at_system(call)) ||
         sets_computed_name(call);
}

bool passes_code(const CmakeCall& call) {
  // ExternalProject puts what it is given between these, and evaluates it.
  const bool ends_bracket =
      std::any_of(call.written.begin(), call.written.end(), [](const CmakeArgument& one) {
        const std::size_t end = one.text.find("]==]");
        return end != std::string::npos && one.text.find(')', end) != std::string::npos;
      });
  // CMakeDependentOption evaluates the name and the condition.
  return ends_bracket ||
         (call.name == "cmake_dependent_option" && call.written.size() > 3 &&
          (may_end_condition(call.written[0].text) || may_end_condition(call.written[3].text)));
}

bool feeds_checks(const CmakeCall& call) {
  // cmake-modules(7), CheckCSourceRuns; and what every check compiles with.
  constexpr std::array<std::string_view, 3> kOfAll = {"_flags", "_standard_libraries",
                                                      "_standard_include_directories"};
  const bool checks =
      std::any_of(call.arguments.begin(), call.arguments.end(),
                  [](const std::string& one) { return one.starts_with("cmake_required_"); });
  const bool all = std::any_of(
      call.arguments.begin(), call.arguments.end(),
      [&](const std::string& one) { return one.starts_with("cmake_") && has_part(one, kOfAll); });
  return ((checks || all) && brings_code(call.text)) ||
         (checks &&
          std::any_of(call.arguments.begin(), call.arguments.end(), [](const std::string& one) {
            return leads_into_project(one) || one.find('(') != std::string::npos;
          }));
}

}  // namespace shadow::sensitive
