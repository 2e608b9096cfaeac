// SPDX-License-Identifier: MIT
// Binds CLI11's options to plain fields. CLI11 itself is included by parser_binder.cpp alone: it
// takes the compiler seven seconds.
//
// CLI11 gets the option words only; positional words are set aside before, because (2.1.2) it
// splits positional values of the form "[a,b]" into lists, which is a common form of a directory's
// name, and because the words of a wrapped command must not be read at all.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace shadow::cli {

enum class Positionals { None, Anywhere, FirstEndsOptions };

class Binder {
 public:
  // `name` as it stands in messages and the usage line: "shadow diff".
  Binder(std::string name, const std::string& summary, std::string arguments);
  Binder(const Binder&) = delete;
  Binder(Binder&&) = delete;
  Binder& operator=(const Binder&) = delete;
  Binder& operator=(Binder&&) = delete;
  ~Binder();

  void flag(const std::string& names, bool& field, const std::string& text);
  void value(const std::string& names, const std::string& word, std::optional<std::string>& field,
             const std::string& text);
  void values(const std::string& names, const std::string& word, std::vector<std::string>& field,
              const std::string& text);
  // --name or --name=VALUE: without a value `field` is set, with one it goes to `list`.
  void flag_or_values(const std::string& names, const std::string& word, bool& field,
                      std::vector<std::string>& list, const std::string& text);
  // Called with the last value when the option was given; its exceptions leave `parse`.
  void checked(const std::string& names, const std::string& word,
               std::function<void(const std::string& value)> take, const std::string& text);

  // Reads the words and fills the fields; returns the positional words. Throws Error; sets
  // `help_wanted` and fills nothing when --help is among the options.
  std::vector<std::string> parse(const std::vector<std::string>& words, Positionals positionals);

  // The index of the first positional word (the word after a "--" counts), or words.size().
  [[nodiscard]] std::size_t first_positional(const std::vector<std::string>& words) const;

  [[nodiscard]] bool help_wanted() const { return help_wanted_; }
  [[nodiscard]] std::string help() const;
  [[nodiscard]] std::vector<std::string> option_names() const;

 private:
  struct Sorted;
  [[nodiscard]] Sorted sort_words(const std::vector<std::string>& words,
                                  Positionals positionals) const;
  [[nodiscard]] bool takes_next(const std::string& word) const;
  void refuse_unknown(const std::vector<std::string>& words) const;
  CLI::Option* add(const std::string& names, const std::string& word, const std::string& text);

  std::unique_ptr<CLI::App> app_;
  std::string name_;
  std::string arguments_;
  std::vector<std::function<void()>> after_;
  bool help_wanted_ = false;
};

}  // namespace shadow::cli
