// SPDX-License-Identifier: MIT
#include "sensitive/names/build_calls.hpp"

#include "base/words.hpp"
#include "sensitive/names/cmake_places.hpp"
#include "sensitive/names/meson_calls.hpp"
#include "sensitive/scripts/cmake_calls.hpp"
#include "sensitive/scripts/cmake_variables.hpp"
#include "sensitive/scripts/compiler_options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::sensitive {

namespace {

// True if CMake's include() takes in a file that is judged by its own name: a module, or a `.cmake`
// whose place no variable tells but those of the sources.
bool includes_judged(std::string_view argument) {
  constexpr std::array<std::string_view, 5> kSources = {
      "${cmake_current_source_dir}", "${cmake_source_dir}", "${project_source_dir}",
      "${cmake_current_list_dir}", "${cmake_module_path}"};
  for (const std::string_view source : kSources) {
    if (argument.starts_with(source)) {
      argument.remove_prefix(source.size());
      break;
    }
  }
  constexpr std::string_view kOfModules = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !argument.empty() && argument.find('$') == std::string_view::npos &&
         (argument.ends_with(".cmake") ||
          argument.find_first_not_of(kOfModules) == std::string_view::npos);
}

bool counts(const CmakeCall& call) {
  // load_cache() sets variables from a file of any name.
  constexpr std::array<std::string_view, 9> kRun = {
      "execute_process", "exec_program",   "try_run",    "try_compile",          "load_command",
      "cmake_language",  "variable_watch", "load_cache", "cmake_instrumentation"};
  constexpr std::array<std::string_view, 5> kOnlyLook = {"if", "elseif", "while", "message",
                                                         "else"};
  if (is_one_of(call.name, kOnlyLook)) {
    return false;
  }
  if (is_one_of(call.name, kRun) || call.name.ends_with("_source_runs") ||
      call.name.starts_with("fetchcontent") || call.name.starts_with("cpm") ||
      (call.name == "include" &&
       (call.arguments.empty() || !includes_judged(call.arguments.front())))) {
    return true;
  }
  // What these name is built, and tells nothing of what runs before.
  constexpr std::array<std::string_view, 7> kOfTargets = {
      "add_executable",    "add_library",        "add_test", "add_dependencies",
      "add_custom_target", "add_custom_command", "install"};
  if (call.name.starts_with("target_") || is_one_of(call.name, kOfTargets)) {
    return false;
  }
  const bool environment =
      call.name == "set" && !call.arguments.empty() && call.arguments.front().starts_with("env{");
  return environment || writes_to_be_run(call) || loads_of_build_directory(call) ||
         sets_places(call) || sets_programs(call) || passes_code(call) || feeds_checks(call) ||
         loads_into_compiler(call.text) || compiler_writes_outside(call.text, OptionsOf::Cmake);
}

}  // namespace

std::string calls_of_build(std::string_view name, std::string_view text) {
  if (name == "meson.build") {
    return calls_of_meson(text);
  }
  std::string parts;
  std::string script{text};
  if (name.ends_with(".in")) {
    parts = filled_in(script);
  }
  for (const CmakeCall& call : cmake_calls_in(script)) {
    parts += counts(call) ? call.text + "\n" : "";
  }
  return parts;
}

}  // namespace shadow::sensitive
