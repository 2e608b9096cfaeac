// SPDX-License-Identifier: MIT
#include "sensitive/names/cmake_places.hpp"

#include "base/text.hpp"
#include "base/tool_files.hpp"
#include "base/words.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/scripts/cmake_paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::sensitive {

namespace {

// What CMake sets itself. A script may set each of them as well, which counts (sets_places).
constexpr std::array<std::string_view, 9> kPlaces = {
    "CMAKE_CURRENT_BINARY_DIR", "CMAKE_BINARY_DIR", "PROJECT_BINARY_DIR",
    "CMAKE_CURRENT_SOURCE_DIR", "CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR",
    "CMAKE_CURRENT_LIST_DIR",   "PROJECT_NAME",     "PACKAGE_INIT"};

// An unquoted variable may hold several arguments: then the next one is not where it seems to be.
bool may_be_several(const CmakeArgument& argument) {
  std::string_view text = argument.text;
  (void)(take_source_place(text) || take_build_place(text));
  return !argument.quoted &&
         (text.find('$') != std::string_view::npos ? !is_plain_text(text)
                                                   : std::count(text.begin(), text.end(), '@') > 1);
}

bool are_several(const CmakeCall& call, std::size_t end) {
  const auto begin = call.written.begin();
  return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(std::min(end, call.written.size())),
                     may_be_several);
}

// True if a file at the path of the argument, if there is one, is obeyed or outside.
bool writes_to(const CmakeCall& call, std::size_t n, RelativeTo relative) {
  if (are_several(call, n + 1)) {
    return true;
  }
  if (call.written.size() <= n) {
    return false;
  }
  const auto path = path_in_build(call.written[n].text, relative);
  return !path || is_obeyed_by_name(*path);
}

// The same of the argument behind a word.
bool writes_behind(const CmakeCall& call, std::string_view word, RelativeTo relative) {
  const auto at = std::find(call.arguments.begin(), call.arguments.end(), word);
  return are_several(call, call.written.size()) ||
         (at != call.arguments.end() &&
          writes_to(call, static_cast<std::size_t>(at - call.arguments.begin()) + 1, relative));
}

// True for a script of the project, or the template of one, which are judged by their own names; so
// is what they become, where nothing is filled in but what filled_in() tells.
bool is_judged_input(const CmakeCall& call) {
  std::string_view input = call.written[0].text;
  (void)take_source_place(input);
  return is_plain_path(input) &&
         ((input.ends_with(".cmake") && is_one_of("copyonly", call.arguments)) ||
          (input.ends_with(".cmake.in") &&
           (call.name == "configure_package_config_file" || is_one_of("@only", call.arguments))));
}

// configure_file() and what calls it: cmake(1) gives the input's name to a file in a directory that
// exists.
bool configures_to_be_run(const CmakeCall& call) {
  if (call.written.size() < 2 || are_several(call, 2)) {
    return are_several(call, 2);
  }
  const auto path = path_in_build(call.written[1].text, RelativeTo::Build);
  if (!path) {
    return true;
  }
  if (is_judged_input(call)) {
    return is_obeyed_by_name(*path) &&
           (!path->ends_with(".cmake") || find_sensitive_name(folded_name(*path)) != nullptr);
  }
  std::string_view input = call.written[0].text;
  (void)take_source_place(input);
  return is_obeyed_by_name(*path) || is_obeyed_by_name(input.substr(input.rfind('/') + 1));
}

// CMakePackageConfigHelpers writes the version into a script of its own.
bool versions_to_be_run(const CmakeCall& call) {
  const auto path =
      call.written.empty() ? std::nullopt : path_in_build(call.written[0].text, RelativeTo::Build);
  if (!path || !path->ends_with(".cmake") || find_sensitive_name(folded_name(*path)) != nullptr) {
    return true;
  }
  return std::any_of(call.written.begin() + 1, call.written.end(), [](const CmakeArgument& one) {
    return one.text != "${PROJECT_VERSION}" && one.text.find_first_of("$@") != std::string::npos;
  });
}

// file(): cmake-commands(7) says for each whether a relative path is one of the sources.
bool files_to_be_run(const CmakeCall& call) {
  constexpr std::array<std::string_view, 17> kAnywhere = {"touch_nocreate",
                                                          "generate",
                                                          "configure",
                                                          "copy",
                                                          "copy_file",
                                                          "install",
                                                          "rename",
                                                          "remove",
                                                          "upload",
                                                          "remove_recurse",
                                                          "create_link",
                                                          "download",
                                                          "archive_create",
                                                          "archive_extract",
                                                          "chmod",
                                                          "chmod_recurse",
                                                          "get_runtime_dependencies"};
  constexpr std::array<std::string_view, 4> kOfOnePath = {"write", "append", "touch", "lock"};
  if (call.arguments.empty()) {
    return false;
  }
  const std::string& what = call.arguments.front();
  return may_be_several(call.written.front()) || what.find('$') != std::string::npos ||
         is_one_of(what, kAnywhere) ||
         (is_one_of(what, kOfOnePath) && writes_to(call, 1, RelativeTo::Sources));
}

// Of CMake's modules those that write where they are told: UseQt4, BundleUtilities, CPackIFW and
// others.
bool module_writes_to_be_run(const CmakeCall& call) {
  constexpr std::array<std::string_view, 8> kAnywhere = {"cpack_ifw_configure_file",
                                                         "write_qt4_conf",
                                                         "copy_resolved_item_into_bundle",
                                                         "fixup_bundle",
                                                         "fixup_qt4_bundle",
                                                         "fixup_qt4_executable",
                                                         "cmake_export_build_settings",
                                                         "copy_resolved_framework_into_bundle"};
  // ExternalProject makes scripts in these as it is configured.
  constexpr std::array<std::string_view, 6> kDirectories = {"prefix",  "tmp_dir", "stamp_dir",
                                                            "log_dir", "ep_base", "ep_prefix"};
  if (is_one_of(call.name, kAnywhere)) {
    return true;
  }
  if (call.name == "write_compiler_detection_header") {
    return writes_behind(call, "file", RelativeTo::Build);
  }
  if (call.name == "fortrancinterface_header") {
    return writes_to(call, 0, RelativeTo::Build);
  }
  if (!call.name.starts_with("externalproject_add") && call.name != "set_property" &&
      call.name != "set_directory_properties") {
    return false;
  }
  for (std::size_t n = 0; n + 1 < call.written.size(); ++n) {
    const bool directory = is_one_of(call.arguments[n], kDirectories) &&
                           (call.name.starts_with("ext") || call.arguments[n].starts_with("ep_"));
    if (directory && !path_in_build(call.written[n + 1].text, RelativeTo::Build)) {
      return true;
    }
  }
  return false;
}

// "set(PROJECT_VERSION 1.2)"
bool sets_to_number(const CmakeCall& call) {
  constexpr std::string_view kOfVersions = "0123456789.";
  return call.name == "set" && call.written.size() == 2 &&
         call.written[1].text.find_first_not_of(kOfVersions) == std::string::npos;
}

bool is_name_of_variable(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The names that a template has between two signs "@".
std::vector<std::string_view> variables_of_template(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at)) {
    const std::size_t begin = ++at;
    while (at < text.size() && is_name_of_variable(text[at])) {
      ++at;
    }
    if (at < text.size() && text[at] == '@' && at > begin) {
      names.push_back(text.substr(begin, at++ - begin));
    }
  }
  return names;
}

}  // namespace

// The project's name, and nothing else that is_plain_text(), may be in it, and be any word.
bool is_obeyed_by_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.find('$') != std::string_view::npos && !name.ends_with(".cmake") &&
      !name.ends_with(".cmake.in")) {
    constexpr std::array<std::string_view, 19> kEndings = {
        "h",  "hh", "hpp", "hxx", "inc", "ipp", "c",       "cc",  "cpp",  "cxx",
        "pc", "rc", "map", "def", "xml", "in",  "desktop", "dox", "plist"};
    return !is_plain_text(name) || !is_one_of(name.substr(name.rfind('.') + 1), kEndings);
  }
  return find_sensitive_name(folded_name(path)) != nullptr || is_tool_file(folded_name(name));
}

bool writes_to_be_run(const CmakeCall& call) {
  constexpr std::array<std::string_view, 3> kAnywhere = {"export", "output_required_files",
                                                         "use_mangled_mesa"};
  if (call.name == "file") {
    return files_to_be_run(call);
  }
  if (call.name == "configure_file" || call.name == "configure_package_config_file") {
    return configures_to_be_run(call);
  }
  if (call.name == "write_basic_package_version_file" ||
      call.name == "write_basic_config_version_file") {
    return versions_to_be_run(call);
  }
  return is_one_of(call.name, kAnywhere) || module_writes_to_be_run(call) ||
         (call.name == "write_file" && writes_to(call, 0, RelativeTo::Sources)) ||
         (call.name == "generate_export_header" &&
          writes_behind(call, "export_file_name", RelativeTo::Build)) ||
         (call.name == "feature_summary" && writes_behind(call, "filename", RelativeTo::Sources)) ||
         // It becomes CMAKE_CURRENT_BINARY_DIR there.
         (call.name == "add_subdirectory" && writes_to(call, 1, RelativeTo::Build));
}

bool loads_of_build_directory(const CmakeCall& call) {
  constexpr std::array<std::string_view, 4> kLoad = {"add_subdirectory", "subdirs", "find_package",
                                                     "find_dependency"};
  // The second one of add_subdirectory() is where it builds.
  const auto end = call.name == "add_subdirectory" && call.written.size() > 1
                       ? call.written.begin() + 1
                       : call.written.end();
  return (is_one_of(call.name, kLoad) || is_one_of("cmake_module_path", call.arguments)) &&
         std::any_of(call.written.begin(), end, [](const CmakeArgument& argument) {
           return names_build_place(argument.text);
         });
}

bool sets_places(const CmakeCall& call) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"PROJECT", "CMAKE", "CMAKE_CURRENT",
                                                         "PACKAGE"};
  constexpr std::string_view kOfNames =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+- ";
  if (call.name == "project") {
    return !call.written.empty() &&
           call.written.front().text.find_first_not_of(kOfNames) != std::string::npos;
  }
  // CPack writes its own configuration to these as it is included.
  constexpr std::array<std::string_view, 2> kOfCpack = {"CPACK_OUTPUT_CONFIG_FILE",
                                                        "CPACK_SOURCE_OUTPUT_CONFIG_FILE"};
  const bool parses = call.name == "cmake_parse_arguments";
  const bool variable =
      std::any_of(call.written.begin(), call.written.end(),
                  [](const CmakeArgument& one) { return one.text.find('$') != std::string::npos; });
  return std::any_of(call.written.begin(), call.written.end(), [&](const CmakeArgument& argument) {
    const std::string& text = argument.text;
    return is_one_of(text, kPlaces) || is_one_of(text, kOfCpack) ||
           (parses && is_one_of(text, kPrefixes)) ||
           // Where find_program() looks, too, and what a script of a version has.
           (variable && (text == "CMAKE_INSTALL_PREFIX" || text == "CMAKE_STAGING_PREFIX")) ||
           (text == "PROJECT_VERSION" && !sets_to_number(call));
  });
}

std::string filled_in(std::string& script) {
  std::string parts;
  std::string without;
  for (const std::string& line : split(script, '\n')) {
    const std::vector<std::string_view> names = variables_of_template(line);
    const bool judged = std::all_of(names.begin(), names.end(),
                                    [](std::string_view name) { return is_one_of(name, kPlaces); });
    parts += judged ? "" : line + "\n";
    std::string plain = line;
    for (const std::string_view name : names) {
      const std::string whole = "@" + std::string{name} + "@";
      plain.erase(plain.find(whole), whole.size());
    }
    without += plain + "\n";
  }
  script = std::move(without);
  return parts;
}

}  // namespace shadow::sensitive
