// SPDX-License-Identifier: MIT
#include "cli/parser/parser_binder.hpp"

#include "shadow/error.hpp"

#include "base/nearest.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace shadow::cli {

namespace {

bool is_long(std::string_view word) {
  return word.size() > 2 && word.starts_with("--");
}

bool is_short(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '-';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Compared without the dashes, which would make any two short names alike.
std::vector<std::string> meant_options(const std::string& name,
                                       const std::vector<std::string>& names) {
  std::vector<std::string> bare;
  for (const std::string& candidate : names) {
    if (is_long(candidate)) {
      bare.push_back(candidate.substr(2));
    }
  }
  std::vector<std::string> meant;
  if (is_long(name)) {
    meant = begun_or_nearest(name.substr(2), bare);
  }
  for (std::string& option : meant) {
    option.insert(0, "--");
  }
  return meant;
}

// Words on lines of at most 80 columns, those after the first below `indent`.
std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t kWidth = 80;
  std::string out;
  std::size_t column = indent;
  for (const std::string& word : split(text, ' ')) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

}  // namespace

Binder::Binder(std::string name, std::string summary, std::string arguments)
    : name_{std::move(name)}, summary_{std::move(summary)}, arguments_{std::move(arguments)} {
  flag("-h,--help", help_wanted_, "print this help");
}

void Binder::add(std::string_view names, Takes takes, std::string word, std::string text,
                 std::function<void(const Given&)> fill) {
  options_.push_back({split(names, ','), takes, std::move(word), std::move(text), std::move(fill)});
}

void Binder::flag(std::string_view names, bool& field, std::string text) {
  add(names, Takes::Nothing, {}, std::move(text),
      [&field](const Given& given) { field = !given.empty(); });
}

void Binder::checked(std::string_view names, std::string word,
                     std::function<void(const std::string& value)> take, std::string text) {
  add(names, Takes::Value, std::move(word), std::move(text),
      [take = std::move(take)](const Given& given) {
        if (!given.empty()) {
          take(*given.back());
        }
      });
}

void Binder::value(std::string_view names, std::string word, std::optional<std::string>& field,
                   std::string text) {
  checked(
      names, std::move(word), [&field](const std::string& value) { field = value; },
      std::move(text));
}

void Binder::values(std::string_view names, std::string word, std::vector<std::string>& field,
                    std::string text) {
  add(names, Takes::Value, std::move(word), std::move(text), [&field](const Given& given) {
    field.clear();
    for (const auto& value : given) {
      field.push_back(*value);
    }
  });
}

void Binder::flag_or_values(std::string_view names, std::string word, bool& field,
                            std::vector<std::string>& list, std::string text) {
  add(names, Takes::MaybeValue, std::move(word), std::move(text),
      [&field, &list](const Given& given) {
        for (const auto& value : given) {
          if (value) {
            list.push_back(*value);
          } else {
            field = true;
          }
        }
      });
}

void Binder::leave_out_of_help(std::string_view name) {
  for (Option& option : options_) {
    option.in_help = option.in_help && option.names.back() != name;
  }
}

const Binder::Option* Binder::find(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(), [name](const Option& option) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  });
  return found == options_.end() ? nullptr : &*found;
}

std::size_t Binder::read_long(const std::vector<std::string>& words, std::size_t at,
                              Words& to) const {
  const std::string& word = words[at];
  const std::size_t equals = word.find('=');
  Use use{find(word.substr(0, equals)), word.substr(0, equals), std::nullopt};
  if (equals != std::string::npos) {
    use.value = word.substr(equals + 1);
  } else if (use.option != nullptr && use.option->takes == Takes::Value && at + 1 < words.size()) {
    use.value = words[++at];
  }
  to.uses.push_back(std::move(use));
  return at;
}

// Letters in one word, of which the last may take a value: "-p", "-np", "-U5", "-U 5".
std::size_t Binder::read_short(const std::vector<std::string>& words, std::size_t at,
                               Words& to) const {
  const std::string& word = words[at];
  for (std::size_t i = 1; i < word.size(); ++i) {
    Use use{nullptr, {'-', word[i]}, std::nullopt};
    use.option = find(use.name);
    if (use.option == nullptr && i > 1 && !is_letter(word[i])) {
      // No option, but what git, say, gives to the one before: "-M50".
      to.uses.back().value = word.substr(i);
      return at;
    }
    if (use.option == nullptr) {
      to.uses.push_back(std::move(use));
      return at;
    }
    if (use.option->takes != Takes::Nothing) {
      if (i + 1 < word.size()) {
        use.value = word.substr(i + 1);
      } else if (use.option->takes == Takes::Value && at + 1 < words.size()) {
        use.value = words[++at];
      }
      to.uses.push_back(std::move(use));
      return at;
    }
    to.uses.push_back(std::move(use));
  }
  return at;
}

Binder::Words Binder::read(const std::vector<std::string>& words, Positionals positionals) const {
  Words result{{}, {}, words.size()};
  const auto take_rest = [&](std::size_t at) {
    result.first_positional = std::min(result.first_positional, at);
    result.positionals.insert(result.positionals.end(),
                              words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      take_rest(i + 1);
      break;
    }
    if (is_long(words[i])) {
      i = read_long(words, i, result);
    } else if (is_short(words[i])) {
      i = read_short(words, i, result);
    } else if (positionals == Positionals::FirstEndsOptions) {
      take_rest(i);
      break;
    } else {
      result.first_positional = std::min(result.first_positional, i);
      result.positionals.push_back(words[i]);
    }
  }
  return result;
}

std::size_t Binder::first_positional(const std::vector<std::string>& words) const {
  return read(words, Positionals::FirstEndsOptions).first_positional;
}

void Binder::check(const Use& use) const {
  if (use.option == nullptr) {
    const std::vector<std::string> meant = meant_options(use.name, option_names());
    throw Error{fmt::format("cannot understand {}: '{}' has no such option",
                            shadow::quoted(use.name), name_),
                meant.empty() ? fmt::format("'{} --help' lists them", name_) : did_you_mean(meant)};
  }
  // "--allow-sensitive=$NAME" with an empty variable must not stand for all.
  const bool missing = use.option->takes == Takes::Value
                           ? !use.value
                           : use.option->takes == Takes::MaybeValue && use.value == "";
  if (missing || (use.option->takes == Takes::Nothing && use.value)) {
    throw Error{fmt::format("cannot understand {}: {}", shadow::quoted(use.name),
                            missing ? "a value is missing" : "it takes no value"),
                fmt::format("'{} --help' explains it", name_)};
  }
}

std::vector<std::string> Binder::parse(const std::vector<std::string>& words,
                                       Positionals positionals) {
  Words read_words = read(words, positionals);
  for (const Use& use : read_words.uses) {
    check(use);
  }
  if (positionals == Positionals::None && !read_words.positionals.empty()) {
    throw Error{fmt::format("cannot understand {}: '{}' takes no arguments",
                            shadow::quoted(read_words.positionals.front()), name_),
                fmt::format("'{} --help' explains it", name_)};
  }
  for (const Option& option : options_) {
    Given given;
    for (Use& use : read_words.uses) {
      if (use.option == &option) {
        given.push_back(std::move(use.value));
      }
    }
    option.fill(given);
    if (help_wanted_) {  // the first of the options
      return {};
    }
  }
  return std::move(read_words.positionals);
}

std::string Binder::help() const {
  std::string text = fmt::format("Usage: {}{}{}\n\n{}\n\nOptions:\n", name_,
                                 arguments_.empty() ? "" : " ", arguments_, summary_);
  for (const Option& option : options_) {
    if (!option.in_help) {
      continue;
    }
    std::string names = join(option.names, ", ");
    if (option.takes != Takes::Nothing) {
      const char* separator = is_long(option.names.back()) ? "=" : " ";
      const bool optional = option.takes == Takes::MaybeValue;
      names +=
          fmt::format("{}{}{}{}", optional ? "[" : "", separator, option.word, optional ? "]" : "");
    }
    constexpr std::size_t kColumn = 26;
    const std::string gap = names.size() + 4 > kColumn
                                ? "\n" + std::string(kColumn, ' ')
                                : std::string(kColumn - 2 - names.size(), ' ');
    text += fmt::format("  {}{}{}\n", names, gap, wrapped(option.text, kColumn));
  }
  return text;
}

std::vector<std::string> Binder::option_names() const {
  std::vector<std::string> names;
  for (const Option& option : options_) {
    names.insert(names.end(), option.names.rbegin(), option.names.rend());
  }
  return names;
}

}  // namespace shadow::cli
