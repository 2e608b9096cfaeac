// SPDX-License-Identifier: MIT
#include "cli/parser/parser_binder.hpp"

#include "shadow/error.hpp"

#include "base/nearest.hpp"
#include "base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <utility>

namespace shadow::cli {

namespace {

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}
bool needs_value(const CLI::Option& option) {
  return option.get_items_expected_min() > 0;
}

// "--name=value" -> {"--name", "value"}; without '=' the second is empty.
std::pair<std::string, std::optional<std::string>> split_long(const std::string& word) {
  const auto equals = word.find('=');
  if (equals == std::string::npos) {
    return {word, std::nullopt};
  }
  return {word.substr(0, equals), word.substr(equals + 1)};
}

bool is_long(const std::string& word) {
  return word.size() > 2 && word.compare(0, 2, "--") == 0;
}
bool is_short(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '-';
}

// Compared without the dashes, which would make any two short names alike.
std::optional<std::string> nearest_option(const std::string& name,
                                          const std::vector<std::string>& names) {
  std::vector<std::string> bare;
  for (const std::string& candidate : names) {
    if (is_long(candidate)) {
      bare.push_back(candidate.substr(2));
    }
  }
  const auto near = is_long(name) ? nearest(name.substr(2), bare) : std::nullopt;
  return near ? std::optional{"--" + *near} : std::nullopt;
}

}  // namespace

Binder::Binder(std::string name, const std::string& summary, std::string arguments)
    : app_{std::make_unique<CLI::App>(summary, name)},
      name_{std::move(name)},
      arguments_{std::move(arguments)} {
  app_->set_help_flag("-h,--help", "print this help");
}

Binder::~Binder() = default;

CLI::Option* Binder::add(const std::string& names, const std::string& word,
                         const std::string& text) {
  // The results are read after the parse: CLI11's conversions give "", "{}" and "[...]" meanings of
  // their own.
  return app_->add_option(names, CLI::callback_t{[](const CLI::results_t&) { return true; }}, text)
      ->type_name(word)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Binder::flag(const std::string& names, bool& field, const std::string& text) {
  const CLI::Option* option = app_->add_flag(names, text);
  after_.emplace_back([option, &field] { field = option->count() > 0; });
}

void Binder::checked(const std::string& names, const std::string& word,
                     std::function<void(const std::string& value)> take, const std::string& text) {
  const CLI::Option* option = add(names, word, text);
  after_.emplace_back([option, take = std::move(take)] {
    if (option->count() > 0) {
      take(option->results().back());
    }
  });
}

void Binder::value(const std::string& names, const std::string& word,
                   std::optional<std::string>& field, const std::string& text) {
  checked(
      names, word, [&field](const std::string& value) { field = value; }, text);
}

void Binder::values(const std::string& names, const std::string& word,
                    std::vector<std::string>& field, const std::string& text) {
  const CLI::Option* option = add(names, word, text);
  after_.emplace_back([option, &field] { field = option->results(); });
}

void Binder::flag_or_values(const std::string& names, const std::string& word, bool& field,
                            std::vector<std::string>& list, const std::string& text) {
  const CLI::Option* option = add(names, word, text)->expected(0, 1);
  after_.emplace_back([option, &field, &list] {
    for (const std::string& result : option->results()) {
      // CLI11 gives an option without its optional value the result "".
      if (result.empty()) {
        field = true;
      } else {
        list.push_back(result);
      }
    }
  });
}

// The option words in CLI11's terms, and the others.
struct Binder::Sorted {
  std::vector<std::string> options;
  std::vector<std::string> positionals;
  std::size_t first_positional = 0;
};

bool Binder::takes_next(const std::string& word) const {
  if (is_long(word)) {
    const auto [name, value] = split_long(word);
    const CLI::Option* option = app_->get_option_no_throw(name);
    return option != nullptr && needs_value(*option) && !value;
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    const CLI::Option* option = app_->get_option_no_throw(std::string{'-', word[i]});
    if (option == nullptr) {
      return false;
    }
    if (takes_value(*option)) {
      return i + 1 == word.size() && needs_value(*option);
    }
  }
  return false;
}

Binder::Sorted Binder::sort_words(const std::vector<std::string>& words,
                                  Positionals positionals) const {
  Sorted sorted;
  sorted.first_positional = words.size();
  const auto rest_from = [&](std::size_t i) {
    sorted.first_positional = std::min(sorted.first_positional, i);
    sorted.positionals.insert(sorted.positionals.end(),
                              words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      rest_from(i + 1);
      break;
    }
    if (!is_long(word) && !is_short(word)) {
      if (positionals == Positionals::FirstEndsOptions) {
        rest_from(i);
        break;
      }
      sorted.first_positional = std::min(sorted.first_positional, i);
      sorted.positionals.push_back(word);
      continue;
    }
    const auto [name, value] = split_long(word);
    const CLI::Option* option = is_long(word) ? app_->get_option_no_throw(name) : nullptr;
    if (option != nullptr && needs_value(*option) && value && value->empty()) {
      // CLI11 (2.1.2) reads "--name=" as "--name" and takes the next word for its value.
      sorted.options.push_back(name);
      sorted.options.emplace_back();
      continue;
    }
    sorted.options.push_back(word);
    if (takes_next(word) && i + 1 < words.size()) {
      sorted.options.push_back(words[++i]);
    }
  }
  return sorted;
}

std::size_t Binder::first_positional(const std::vector<std::string>& words) const {
  return sort_words(words, Positionals::FirstEndsOptions).first_positional;
}

void Binder::refuse_unknown(const std::vector<std::string>& words) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (takes_next(word)) {
      if (i + 1 == words.size()) {
        throw Error{fmt::format("cannot understand {}: a value is missing", shadow::quoted(word)),
                    fmt::format("'{} --help' explains it", name_)};
      }
      ++i;
      continue;
    }
    std::string name = split_long(word).first;
    if (is_short(word)) {
      name = "";
      for (std::size_t j = 1; j < word.size(); ++j) {
        const std::string letter{'-', word[j]};
        const CLI::Option* option = app_->get_option_no_throw(letter);
        if (option == nullptr) {
          name = letter;
          break;
        }
        if (takes_value(*option)) {
          break;
        }
      }
    }
    if (!name.empty() && app_->get_option_no_throw(name) == nullptr) {
      const auto near = nearest_option(name, option_names());
      throw Error{
          fmt::format("cannot understand {}: '{}' has no such option", shadow::quoted(name), name_),
          near ? fmt::format("did you mean '{}'?", *near)
               : fmt::format("'{} --help' lists them", name_)};
    }
  }
}

std::vector<std::string> Binder::parse(const std::vector<std::string>& words,
                                       Positionals positionals) {
  Sorted sorted = sort_words(words, positionals);
  refuse_unknown(sorted.options);
  if (positionals == Positionals::None && !sorted.positionals.empty()) {
    throw Error{fmt::format("cannot understand {}: '{}' takes no arguments",
                            shadow::quoted(sorted.positionals.front()), name_),
                fmt::format("'{} --help' explains it", name_)};
  }
  try {
    // CLI11 takes the words from the back.
    app_->parse(std::vector<std::string>{sorted.options.rbegin(), sorted.options.rend()});
  } catch (const CLI::CallForHelp&) {
    help_wanted_ = true;
    return {};
  } catch (const CLI::ParseError& error) {
    throw Error{fmt::format("cannot understand the command line: {}", printable(error.what())),
                fmt::format("'{} --help' explains the options", name_)};
  }
  for (const auto& fill : after_) {
    fill();
  }
  return std::move(sorted.positionals);
}

namespace {

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

std::string Binder::help() const {
  std::string text =
      fmt::format("Usage: {}{}{}\n\n{}\n\nOptions:\n", name_, arguments_.empty() ? "" : " ",
                  arguments_, app_->get_description());
  for (const CLI::Option* option : app_->get_options()) {
    std::string names;
    for (const std::string& name : option->get_snames()) {
      names += (names.empty() ? "-" : ", -") + name;
    }
    for (const std::string& name : option->get_lnames()) {
      names += (names.empty() ? "--" : ", --") + name;
    }
    if (takes_value(*option)) {
      const bool optional = !needs_value(*option);
      const char* separator = option->get_lnames().empty() ? " " : "=";
      names += fmt::format("{}{}{}{}", optional ? "[" : "", separator, option->get_type_name(),
                           optional ? "]" : "");
    }
    constexpr std::size_t kColumn = 26;
    const std::string gap = names.size() + 4 > kColumn
                                ? "\n" + std::string(kColumn, ' ')
                                : std::string(kColumn - 2 - names.size(), ' ');
    text += fmt::format("  {}{}{}\n", names, gap, wrapped(option->get_description(), kColumn));
  }
  return text;
}

std::vector<std::string> Binder::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

}  // namespace shadow::cli
