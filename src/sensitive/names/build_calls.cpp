// SPDX-License-Identifier: MIT
#include "sensitive/names/build_calls.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sensitive/names/cmake_calls.hpp"
#include "sensitive/names/cmake_places.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

namespace shadow::sensitive {

namespace {

template <typename Words>
bool has_one(std::string_view text, const Words& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

template <typename Words>
bool is_one(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <typename Words>
bool ends_with_any(std::string_view word, const Words& words) {
  return std::any_of(words.begin(), words.end(),
                     [word](std::string_view end) { return word.ends_with(end); });
}

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Options with which a compiler loads or runs something else, as configuring tries it out: GCC and
// Clang.
bool loads_into_compiler(std::string_view text) {
  constexpr std::array<std::string_view, 9> kOptions = {"-fplugin",  "-fpass-plugin", "-iplugindir",
                                                        "-wrapper",  "-specs",        "-load",
                                                        "--ld-path", "-fuse-ld=/",    "-fuse-ld=$"};
  if (has_one(text, kOptions)) {
    return true;
  }
  // "-Bdir", "@file"; not "-Wl,-Bsymbolic".
  constexpr std::array<std::string_view, 3> kOfLinker = {"Bstatic", "Bdynamic", "Bsymbolic"};
  constexpr std::string_view kOfPaths = "$./";
  for (std::size_t at = text.find_first_of("-@"); at != std::string_view::npos;
       at = text.find_first_of("-@", at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const std::string_view rest = text.substr(at + 1);
    if (is_of_name(before) || std::string_view{"-}."}.find(before) != std::string_view::npos ||
        rest.empty()) {
      continue;
    }
    const std::string_view word =
        rest.substr(0, std::min(rest.find_first_of(" \t\n\"');,"), rest.size()));
    if (text[at] == '@' ? kOfPaths.find(rest.front()) != std::string_view::npos
                        : rest.front() == 'B' && !is_one(word, kOfLinker)) {
      return true;
    }
  }
  return false;
}

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

// Variables and properties by which CMake finds what it runs.
bool tells_programs(const std::string& word) {
  constexpr std::array<std::string_view, 13> kParts = {"_launcher",
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
                                                       "cmake_get_runtime_dependencies"};
  // The last are those of CMake's own modules, FindJava and others.
  constexpr std::array<std::string_view, 12> kEnds = {
      "_compiler",   "_executable", "_root_dir",
      "_root",       "_home",       "_standalone_toolchain",
      "gdal_config", "odbc_config", "xmlrpc_c_config",
      "_tclsh",      "_program",    "envmodules_command"};
  constexpr std::array<std::string_view, 13> kOfCmake = {"_arg1",
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
                                                         "_install_name_tool"};
  return has_one(word, kParts) || ends_with_any(word, kEnds) || word == "hostname" ||
         (word.starts_with("cmake_") && ends_with_any(word, kOfCmake)) ||
         (word.starts_with("cmake_project_") && word.find("_include") != std::string::npos);
}

bool counts(const CmakeCall& call) {
  // load_cache() sets variables from a file of any name.
  constexpr std::array<std::string_view, 9> kRun = {
      "execute_process", "exec_program",   "try_run",    "try_compile",          "load_command",
      "cmake_language",  "variable_watch", "load_cache", "cmake_instrumentation"};
  constexpr std::array<std::string_view, 5> kOnlyLook = {"if", "elseif", "while", "message",
                                                         "else"};
  if (is_one(call.name, kOnlyLook)) {
    return false;
  }
  if (is_one(call.name, kRun) || call.name.ends_with("_source_runs") ||
      call.name.starts_with("fetchcontent") || call.name.starts_with("cpm") ||
      (call.name == "include" &&
       (call.arguments.empty() || !includes_judged(call.arguments.front())))) {
    return true;
  }
  // What these name is built, and tells nothing of what runs before.
  constexpr std::array<std::string_view, 7> kOfTargets = {
      "add_executable",    "add_library",        "add_test", "add_dependencies",
      "add_custom_target", "add_custom_command", "install"};
  if (call.name.starts_with("target_") || is_one(call.name, kOfTargets)) {
    return false;
  }
  const bool environment =
      call.name == "set" && !call.arguments.empty() && call.arguments.front().starts_with("env{");
  return environment || writes_to_be_run(call) || loads_of_build_directory(call) ||
         sets_places(call) || loads_into_compiler(call.text) ||
         std::any_of(call.arguments.begin(), call.arguments.end(), tells_programs);
}

// A method of that name: the dot may stand on the line before.
bool calls_run(const std::string& line) {
  for (std::size_t at = line.find("run"); at != std::string::npos; at = line.find("run", at + 1)) {
    const std::size_t before = at == 0 ? std::string::npos : line.find_last_not_of(" \t", at - 1);
    const bool method = before == std::string::npos || line[before] == '.';
    if (method && (at + 3 == line.size() || !is_of_name(line[at + 3]))) {
      return true;
    }
  }
  return false;
}

// Each line that counts; of a call that begins there, all of it.
std::string calls_of_meson(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords = {"run_command",  "postconf_script",
                                                      "subproject",   "configure_file",
                                                      "find_program", "find_installation"};
  std::string parts;
  std::ptrdiff_t open = 0;
  for (const std::string& line : split(text, '\n')) {
    const std::string small = lower_ascii(line);
    if (open <= 0 && !has_one(small, kWords) && !calls_run(small) && !loads_into_compiler(line)) {
      continue;
    }
    parts += line + "\n";
    open = std::max<std::ptrdiff_t>(open, 0) + std::count(line.begin(), line.end(), '(') -
           std::count(line.begin(), line.end(), ')');
  }
  return parts;
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
