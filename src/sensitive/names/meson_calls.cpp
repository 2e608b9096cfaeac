// SPDX-License-Identifier: MIT
#include "sensitive/names/meson_calls.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/words.hpp"
#include "sensitive/names/cmake_places.hpp"
#include "sensitive/scripts/compiler_options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace shadow::sensitive {

namespace {

constexpr std::string_view kMesonBlanks = " \t\r\n";
constexpr std::size_t kLongestCall = 16384;  // that is looked into; calls may be in calls

bool is_of_meson_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The text with blanks for what stands in strings and comments, byte for byte (the syntax of
// Meson: a backslash keeps the next byte, but not in a string of three quotes).
std::string without_strings(std::string_view text) {
  constexpr std::string_view kLong = "'''";
  std::string plain{text};
  const auto blank = [&plain](std::size_t begin, std::size_t end) {
    std::replace_if(
        plain.begin() + static_cast<std::ptrdiff_t>(begin),
        plain.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
  };
  for (std::size_t at = text.find_first_of("'#"); at < text.size();
       at = text.find_first_of("'#", at)) {
    const std::size_t begin = at + 1;
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      blank(begin, at);
      continue;
    }
    if (text.substr(at).starts_with(kLong)) {
      const std::size_t end = std::min(text.find(kLong, at + kLong.size()), text.size());
      at = std::min(end + kLong.size(), text.size());
      // One quote stands for three.
      blank(begin, at);
      if (at > begin) {
        plain[at - 1] = '\'';
      }
      continue;
    }
    for (at = begin; at < text.size() && text[at] != '\'';) {
      at += text[at] == '\\' ? 2U : 1U;
    }
    at = std::min(at, text.size());
    blank(begin, at);
    at = std::min(at + 1, text.size());
  }
  return plain;
}

// What stands in the brackets of a call.
struct MesonArguments {
  std::string plain;  // without_strings()
  std::vector<std::string> strings;
};

// Behind the name of the call, if brackets follow.
std::optional<MesonArguments> arguments_behind(std::string_view text, std::string_view plain,
                                               std::size_t at) {
  at = plain.find_first_not_of(kMesonBlanks, at);
  if (at == std::string_view::npos || plain[at] != '(') {
    return std::nullopt;
  }
  const std::size_t begin = at + 1;
  int open = 0;
  for (; at < plain.size() && at <= begin + kLongestCall; ++at) {
    open += plain[at] == '(' ? 1 : plain[at] == ')' ? -1 : 0;
    if (open == 0) {
      break;
    }
  }
  MesonArguments found{std::string{plain.substr(begin, at - begin)}, {}};
  for (std::size_t quote = found.plain.find('\''); quote != std::string::npos;) {
    const std::size_t end = std::min(found.plain.find('\'', quote + 1), found.plain.size());
    std::string inside{text.substr(begin + quote + 1, end - quote - 1)};
    if (inside.starts_with("''")) {
      inside = inside.substr(2, inside.size() < 4 ? 0 : inside.size() - 4);
    }
    found.strings.push_back(std::move(inside));
    quote = found.plain.find('\'', end + 1);
  }
  return found;
}

// The value of a keyword where it is no more than one string: the n-th of the call.
std::optional<std::string> string_of(const MesonArguments& call, std::string_view keyword) {
  for (std::size_t at = call.plain.find(keyword); at != std::string::npos;
       at = call.plain.find(keyword, at + 1)) {
    const std::size_t colon = call.plain.find_first_not_of(kMesonBlanks, at + keyword.size());
    if ((at > 0 && is_of_meson_name(call.plain[at - 1])) || colon == std::string::npos ||
        call.plain[colon] != ':') {
      continue;
    }
    const std::size_t quote = call.plain.find_first_not_of(kMesonBlanks, colon + 1);
    if (quote == std::string::npos || call.plain[quote] != '\'') {
      return std::nullopt;
    }
    const std::size_t close = std::min(call.plain.find('\'', quote + 1), call.plain.size() - 1);
    const std::size_t next = call.plain.find_first_not_of(kMesonBlanks, close + 1);
    const auto before = std::count(call.plain.begin(),
                                   call.plain.begin() + static_cast<std::ptrdiff_t>(quote), '\'');
    return next == std::string::npos || call.plain[next] == ','
               ? std::optional{call.strings[static_cast<std::size_t>(before) / 2]}
               : std::nullopt;
  }
  return std::nullopt;
}

// configure_file() of meson's: the output lies in the build directory, by a plain name.
bool configures_to_be_obeyed(const MesonArguments& call) {
  constexpr std::array<std::string_view, 2> kRun = {"command", "kwargs"};
  constexpr std::array<std::string_view, 2> kOfInput = {"@BASENAME@", "@PLAINNAME@"};
  std::optional<std::string> output = string_of(call, "output");
  if (has_part(call.plain, kRun) || !output) {
    return true;
  }
  for (const std::string_view name : kOfInput) {
    const std::size_t at = output->find(name);
    if (at == std::string::npos) {
      continue;
    }
    std::string input = string_of(call, "input").value_or("@");
    input.erase(0, input.rfind('/') + 1);
    if (name == kOfInput.front() && input.rfind('.') != std::string::npos) {
      input.erase(input.rfind('.'));
    }
    output->replace(at, name.size(), input);
  }
  return output->find_first_of("@\\/$") != std::string::npos || is_obeyed_by_name(*output);
}

// "#include <time.h>", "#define _GNU_SOURCE"
bool is_plain_prefix(std::string_view text) {
  constexpr std::string_view kDefine = "#define ";
  constexpr std::string_view kInclude = "#include";
  for (std::string line : split(text, '\n')) {
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t") + 1);
    const bool define = line.starts_with(kDefine) &&
                        std::all_of(line.begin() + kDefine.size(), line.end(),
                                    [](char c) { return is_of_meson_name(c) || c == ' '; });
    const std::size_t open = line.find_first_not_of(' ', kInclude.size());
    const bool include = line.starts_with(kInclude) && open != std::string::npos &&
                         line[open] == '<' && line.find('>') == line.size() - 1 &&
                         line.find("..") == std::string::npos && line[open + 1] != '/';
    if (!line.empty() && !define && !include) {
      return false;
    }
  }
  return true;
}

// "struct a *", "sizeof(int)", "-D_GNU_SOURCE"; nothing that calls a function.
bool is_plain_expression(std::string_view text) {
  constexpr std::string_view kOther = " *:<>,=-+./";
  constexpr std::array<std::string_view, 2> kNoCalls = {"sizeof", "offsetof"};
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') {
      const std::string_view before = text.substr(0, at);
      if (std::none_of(kNoCalls.begin(), kNoCalls.end(),
                       [&](std::string_view end) { return before.ends_with(end); })) {
        return false;
      }
    } else if (text[at] != ')' && !is_of_meson_name(text[at]) &&
               kOther.find(text[at]) == std::string_view::npos) {
      return false;
    }
  }
  return !text.starts_with('-') || text.starts_with("-D") || text.starts_with("-std=") ||
         text.starts_with("-W") || text.starts_with("-m");
}

// cc.sizeof(), cc.alignment() and cc.compute_int() compile a program and run it.
bool measures_by_code(const MesonArguments& call) {
  constexpr std::array<std::string_view, 5> kOther = {"include_directories", "kwargs", "+", ".",
                                                      "["};
  const auto names_variable = [&](std::string_view keyword) {
    const std::size_t at = call.plain.find(keyword);
    const std::size_t colon = at == std::string::npos
                                  ? at
                                  : call.plain.find_first_not_of(" \t\r\n:", at + keyword.size());
    return colon != std::string::npos && call.plain[colon] != '\'';
  };
  const std::size_t first = call.plain.find_first_not_of(kMesonBlanks);
  if (first == std::string::npos || call.plain[first] != '\'' || names_variable("prefix") ||
      names_variable("args") || has_part(call.plain, kOther)) {
    return true;
  }
  return !std::all_of(call.strings.begin(), call.strings.end(), [](std::string text) {
    for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n")) {
      text.replace(at, 2, "\n");
    }
    return is_plain_expression(text) || is_plain_prefix(text);
  });
}

// project(): with these options it compiles a program for each language, and runs it.
bool starts_with_options(const MesonArguments& call) {
  constexpr std::array<std::string_view, 3> kComputed = {"+", ".", "kwargs"};
  constexpr std::array<std::string_view, 2> kPaths = {"pkg_config_path", "cmake_prefix_path"};
  if (call.plain.find("default_options") == std::string::npos) {
    return false;
  }
  return has_part(call.plain, kComputed) ||
         std::any_of(call.strings.begin(), call.strings.end(), [&](const std::string& text) {
           const bool options = text.find("_args") != std::string::npos || text.starts_with('-');
           return text.find('\\') != std::string::npos || has_part(text, kPaths) ||
                  (options && (text.find('/') != std::string::npos || brings_code(text)));
         });
}

// import(): of these modules one runs a program, and one writes to where it is told.
bool imports_runner(const MesonArguments& call) {
  constexpr std::array<std::string_view, 3> kRunningModules = {"external_project", "hotdoc", "\\"};
  const std::size_t first = call.plain.find_first_not_of(kMesonBlanks);
  return first == std::string::npos || call.plain[first] != '\'' ||
         call.plain.find('+') != std::string::npos || call.plain.find('.') != std::string::npos ||
         std::any_of(call.strings.begin(), call.strings.end(),
                     [&](const std::string& text) { return has_part(text, kRunningModules); });
}

struct JudgedCall {
  std::string_view name;
  bool (*counts)(const MesonArguments&);
};

constexpr std::array<JudgedCall, 6> kJudged = {{{"configure_file", configures_to_be_obeyed},
                                                {"sizeof", measures_by_code},
                                                {"alignment", measures_by_code},
                                                {"compute_int", measures_by_code},
                                                {"project", starts_with_options},
                                                {"import", imports_runner}}};

// A method of that name: the dot may stand on the line before.
bool calls_run(std::string_view line) {
  for (std::size_t at = line.find("run"); at != std::string_view::npos;
       at = line.find("run", at + 1)) {
    const std::size_t before =
        at == 0 ? std::string_view::npos : line.find_last_not_of(" \t", at - 1);
    const bool method = before == std::string_view::npos || line[before] == '.';
    if (method && (at + 3 == line.size() || !is_of_meson_name(line[at + 3]))) {
      return true;
    }
  }
  return false;
}

class MesonReader {
 public:
  explicit MesonReader(std::string_view text) : text_{text}, plain_{without_strings(text)} {}

  // Each line that counts; of a call that begins there, all of it.
  std::string read() {
    std::string parts;
    std::ptrdiff_t open = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      if (open > 0 || line_counts(at, end)) {
        const std::string_view plain = std::string_view{plain_}.substr(at, end - at);
        parts += std::string{text_.substr(at, end - at)} + "\n";
        open = std::max<std::ptrdiff_t>(open, 0) + std::count(plain.begin(), plain.end(), '(') -
               std::count(plain.begin(), plain.end(), ')');
      }
      at = end + 1;
    }
    return parts;
  }

 private:
  [[nodiscard]] bool line_counts(std::size_t begin, std::size_t end) const {
    constexpr std::array<std::string_view, 6> kWords = {"run_command",  "postconf_script",
                                                        "subproject",   "find_installation",
                                                        "find_program", "generate_dub_file"};
    const std::string line{text_.substr(begin, end - begin)};
    const std::string small = lower_ascii(line);
    return has_part(small, kWords) || calls_run(small) || loads_into_compiler(line) ||
           compiler_writes_outside(line, OptionsOf::Meson) || judged_call_counts(begin, end);
  }

  [[nodiscard]] bool judged_call_counts(std::size_t begin, std::size_t end) const {
    return std::any_of(kJudged.begin(), kJudged.end(), [&](const JudgedCall& judged) {
      const std::string_view before = std::string_view{plain_}.substr(0, end);
      for (std::size_t at = before.find(judged.name, begin); at < end;
           at = before.find(judged.name, at + 1)) {
        if (at > 0 && is_of_meson_name(plain_[at - 1])) {
          continue;
        }
        const auto call = arguments_behind(text_, plain_, at + judged.name.size());
        if (call && (call->plain.size() > kLongestCall || judged.counts(*call))) {
          return true;
        }
      }
      return false;
    });
  }

  std::string_view text_;
  std::string plain_;
};

}  // namespace

std::string calls_of_meson(std::string_view text) {
  return MesonReader{text}.read();
}

}  // namespace shadow::sensitive
