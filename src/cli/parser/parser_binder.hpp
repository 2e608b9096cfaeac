// SPDX-License-Identifier: MIT
// Binds the options of a command to plain fields, reads the words, and writes the help.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// FirstEndsOptions: the words of a wrapped command must not be read.
enum class Positionals { None, Anywhere, FirstEndsOptions };

class Binder {
 public:
  // `name` as it stands in messages and the usage line: "shadow diff".
  Binder(std::string name, std::string summary, std::string arguments);
  Binder(const Binder&) = delete;
  Binder(Binder&&) = delete;
  Binder& operator=(const Binder&) = delete;
  Binder& operator=(Binder&&) = delete;
  ~Binder() = default;

  // `names` is "--long", "-s" or "-s,--long".
  void flag(std::string_view names, bool& field, std::string text);
  void value(std::string_view names, std::string word, std::optional<std::string>& field,
             std::string text);
  void values(std::string_view names, std::string word, std::vector<std::string>& field,
              std::string text);
  // --name or --name=VALUE: without a value `field` is set, with one it goes to `list`.
  void flag_or_values(std::string_view names, std::string word, bool& field,
                      std::vector<std::string>& list, std::string text);
  // Called with the last value if the option was given; its exceptions leave `parse`.
  void checked(std::string_view names, std::string word,
               std::function<void(const std::string& value)> take, std::string text);

  // An option that has no effect here. It is accepted, and is not in the help.
  void leave_out_of_help(std::string_view name);

  // Reads the words and fills the fields; returns the positional words. Throws Error; sets
  // `help_wanted` and fills nothing if --help is among the options.
  std::vector<std::string> parse(const std::vector<std::string>& words, Positionals positionals);

  // The index of the first positional word (the word after a "--" counts), or words.size().
  [[nodiscard]] std::size_t first_positional(const std::vector<std::string>& words) const;

  [[nodiscard]] bool help_wanted() const { return help_wanted_; }
  [[nodiscard]] std::string help() const;
  [[nodiscard]] std::vector<std::string> option_names() const;

 private:
  enum class Takes : std::uint8_t { Nothing, MaybeValue, Value };

  // One value for each time that an option was given; nullopt without a value.
  using Given = std::vector<std::optional<std::string>>;

  struct Option {
    std::vector<std::string> names;
    Takes takes;
    std::string word;
    std::string text;
    std::function<void(const Given&)> fill;
    bool in_help = true;
  };

  // An option as it was given. `option` is null if there is no such.
  struct Use {
    const Option* option;
    std::string name;
    std::optional<std::string> value;
  };

  struct Words {
    std::vector<Use> uses;
    std::vector<std::string> positionals;
    std::size_t first_positional;
  };

  void add(std::string_view names, Takes takes, std::string word, std::string text,
           std::function<void(const Given&)> fill);
  [[nodiscard]] const Option* find(std::string_view name) const;
  [[nodiscard]] Words read(const std::vector<std::string>& words, Positionals positionals) const;
  // Each returns the index of the last word that it took.
  std::size_t read_long(const std::vector<std::string>& words, std::size_t at, Words& to) const;
  std::size_t read_short(const std::vector<std::string>& words, std::size_t at, Words& to) const;
  void check(const Use& use) const;

  std::string name_;
  std::string summary_;
  std::string arguments_;
  std::vector<Option> options_;
  bool help_wanted_ = false;
};

}  // namespace shadow::cli
