// SPDX-License-Identifier: MIT
#include "sensitive/scripts/compiler_options.hpp"

#include "base/words.hpp"
#include "sensitive/scripts/cmake_paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace shadow::sensitive {

namespace {

bool is_of_option(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "-Bdir", "@file"; not "-Wl,-Bsymbolic".
bool looks_elsewhere(std::string_view text) {
  constexpr std::array<std::string_view, 3> kOfLinker = {"Bstatic", "Bdynamic", "Bsymbolic"};
  constexpr std::string_view kOfPaths = "$./";
  for (std::size_t at = text.find_first_of("-@"); at != std::string_view::npos;
       at = text.find_first_of("-@", at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const std::string_view rest = text.substr(at + 1);
    if (is_of_option(before) || std::string_view{"-}."}.find(before) != std::string_view::npos ||
        rest.empty()) {
      continue;
    }
    const std::string_view near = rest.substr(0, 16);
    const std::string_view word =
        near.substr(0, std::min(near.find_first_of(" \t\n\"');,"), near.size()));
    if (text[at] == '@' ? kOfPaths.find(rest.front()) != std::string_view::npos
                        : rest.front() == 'B' && !is_one_of(word, kOfLinker)) {
      return true;
    }
  }
  return false;
}

struct OptionWord {
  std::string_view text;
  bool of_value = false;   // behind "=" or ",", right after the word before
  bool of_linker = false;  // behind "-Wl", "-Xlinker" or "LINKER:"
};

// CMake's way to write an option of the linker is "LINKER:-Map=x".
bool take_prefix(std::string_view& word, std::string_view prefix) {
  const bool found = word.starts_with(prefix);
  word.remove_prefix(found ? prefix.size() : 0);
  return found;
}

// "-Wl,-Map=x" is three words. "-Xlinker" only stands before one.
std::vector<OptionWord> option_words(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n;,='\"()[]";
  constexpr std::string_view kToLinker = "-Xlinker";
  constexpr std::array<std::string_view, 3> kBefore = {"-Xclang", "-Xassembler", "-Xpreprocessor"};
  std::vector<OptionWord> words;
  bool to_linker = false;
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    std::string_view word = text.substr(at, end - at);
    (void)take_prefix(word, "SHELL:");
    to_linker = take_prefix(word, "LINKER:") || to_linker;
    const bool of_value = at > 0 && (text[at - 1] == '=' || text[at - 1] == ',');
    if (word == kToLinker) {
      to_linker = true;
    } else if (!is_one_of(word, kBefore)) {
      const bool goes_on =
          of_value && !words.empty() && (words.back().of_linker || words.back().text == "-Wl");
      words.push_back({word, of_value, to_linker || goes_on});
      to_linker = false;
    }
    at = text.find_first_not_of(kBetween, end);
  }
  return words;
}

// What Meson puts for these lies in the build directory.
bool is_made_by_meson(std::string_view place) {
  constexpr std::array<std::string_view, 4> kMade = {"@OUTPUT", "@DEPFILE@", "@BUILD_ROOT@",
                                                     "@PRIVATE_DIR@"};
  return std::any_of(kMade.begin(), kMade.end(),
                     [place](std::string_view made) { return place.starts_with(made); });
}

// A path outside of the build directory, or what may become one. "<OBJECT>" is filled in by CMake.
bool leads_outside(std::string_view place, OptionsOf of) {
  if (of == OptionsOf::Cmake) {
    return !path_in_build(place, RelativeTo::Build) &&
           !(place.starts_with('<') && place.ends_with('>'));
  }
  return place == "+" || place.starts_with('/') || place.starts_with('~') ||
         (place.starts_with('@') && !is_made_by_meson(place)) ||
         place.find("..") != std::string_view::npos;
}

// What stands right behind the option, if it begins like a path ("-MF/x", "-o${x}").
std::string_view joined_place(std::string_view word, std::string_view option) {
  constexpr std::string_view kOfPaths = "$./~@";
  const std::string_view rest = word.substr(std::min(option.size(), word.size()));
  return word.starts_with(option) && !rest.empty() &&
                 kOfPaths.find(rest.front()) != std::string_view::npos
             ? rest
             : std::string_view{};
}

// gcc(1), clang(1), ld(1): the next word is a file that is written.
constexpr std::array<std::string_view, 14> kWriteNext = {"-MF",
                                                         "-MJ",
                                                         "-aux-info",
                                                         "-dumpdir",
                                                         "-dumpbase",
                                                         "-serialize-diagnostics",
                                                         "--serialize-diagnostics",
                                                         "-Map",
                                                         "--Map",
                                                         "-dependency-file",
                                                         "--dependency-file",
                                                         "-out-implib",
                                                         "--out-implib",
                                                         "--MD"};
// They are options of many programs, too.
constexpr std::array<std::string_view, 3> kOutput = {"-o", "-output", "--output"};
// These write to a file, or to one in a directory, where "=" stands behind them.
constexpr std::array<std::string_view, 15> kWriteValue = {"-fdump-",
                                                          "-fopt-info",
                                                          "-fprofile-dir",
                                                          "-fprofile-generate",
                                                          "-fprofile-instr-generate",
                                                          "-fcs-profile-generate",
                                                          "-ftime-trace",
                                                          "--time-trace",
                                                          "-fproc-stat-report",
                                                          "-foptimization-record-file",
                                                          "-fcrash-diagnostics-dir",
                                                          "-fmodules-cache-path",
                                                          "-fmodule-output",
                                                          "--thinlto-cache-dir",
                                                          "-fdiagnostics-add-output"};

bool has_value_written(std::string_view option, bool of_assembler) {
  // "-Wa,-adhlns=x", the listing of as(1)
  return (of_assembler && option.starts_with("-a")) ||
         std::any_of(kWriteValue.begin(), kWriteValue.end(),
                     [option](std::string_view write) { return option.starts_with(write); });
}

}  // namespace

bool loads_into_compiler(std::string_view text) {
  constexpr std::array<std::string_view, 12> kOptions = {
      "-fplugin",   "-fpass-plugin", "-iplugindir",    "-wrapper",
      "-specs",     "-load",         "--ld-path",      "-fuse-ld=/",
      "-fuse-ld=$", "-fuse-ld=.",    "gcc-toolchain=", "gcc-install-dir="};
  // ld(1)
  constexpr std::array<std::string_view, 2> kOfLinker = {"-plugin", "--plugin"};
  if (has_part(text, kOptions) || looks_elsewhere(text)) {
    return true;
  }
  const std::vector<OptionWord> words = option_words(text);
  return std::any_of(words.begin(), words.end(), [&](const OptionWord& word) {
    return word.of_linker && is_one_of(word.text, kOfLinker);
  });
}

bool compiler_writes_outside(std::string_view text, OptionsOf of) {
  constexpr std::array<std::string_view, 2> kOfFlags = {"_FLAGS", "_REQUIRED_"};
  const bool flags = has_part(text, kOfFlags);
  const std::vector<OptionWord> words = option_words(text);
  bool of_assembler = false;
  for (std::size_t n = 0; n < words.size(); ++n) {
    const std::string_view word = words[n].text;
    of_assembler = word == "-Wa" || (of_assembler && words[n].of_value);
    const bool last = n + 1 == words.size();
    if (is_one_of(word, kWriteNext) || (flags && is_one_of(word, kOutput))) {
      // The list may go on elsewhere.
      if (last || leads_outside(words[n + 1].text, of)) {
        return true;
      }
    } else if (has_value_written(word, of_assembler)) {
      if (!last && (words[n + 1].of_value || words[n + 1].text == "+") &&
          leads_outside(words[n + 1].text, of)) {
        return true;
      }
    } else if (std::any_of(kWriteNext.begin(), kWriteNext.end(), [&](std::string_view option) {
                 const std::string_view place = joined_place(word, option);
                 return !place.empty() && leads_outside(place, of);
               })) {
      return true;
    }
  }
  return false;
}

bool brings_code(std::string_view text) {
  constexpr std::array<std::string_view, 4> kTake = {"-include", "-imacros", "--include",
                                                     "--imacros"};
  const std::vector<OptionWord> words = option_words(text);
  return std::any_of(words.begin(), words.end(), [&](const OptionWord& word) {
    return std::any_of(kTake.begin(), kTake.end(),
                       [&](std::string_view take) { return word.text.starts_with(take); });
  });
}

}  // namespace shadow::sensitive
