// SPDX-License-Identifier: MIT
// What a script of a shell, or a makefile, gives its variables. Pure.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// A bound on each count keeps the work to some multiple of the text: it is anybody's.
class ShellValues {
 public:
  // Reads all of the text first: a function may use what is set further down.
  explicit ShellValues(std::string_view text);

  // The line with the values of its variables, once for each combination, without quotes:
  // "sh tools/x" of "sh "$D/x"" where the text has "D=tools", "for D in tools", "D=(tools)" or
  // "${D:-tools}". What the text does not tell stays as it is. Nothing where there is no variable
  // with a value.
  [[nodiscard]] std::vector<std::string> put_in(std::string_view line) const;

 private:
  void take_line(std::string_view line);
  void take_assignments(std::string_view line);
  void take_loop(std::string_view line);
  void take_value(const std::string& name, std::string_view value);
  void take_word(const std::string& name, std::string_view value);
  void add(const std::string& name, std::string value);
  [[nodiscard]] std::vector<std::string> values_of(std::string_view variable) const;

  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::size_t left_;  // assignments to be read yet
};

}  // namespace shadow::sensitive
