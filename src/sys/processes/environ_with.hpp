// SPDX-License-Identifier: MIT
// This process's environment, for a program that is to have one variable otherwise.

#pragma once

#include <string>
#include <vector>

namespace shadow::sys {

class EnvironWith {
 public:
  // A copy of the environment as it is now, in which `name` has this value.
  EnvironWith(const std::string& name, const std::string& value);
  EnvironWith(const EnvironWith&) = delete;
  EnvironWith(EnvironWith&&) = delete;
  EnvironWith& operator=(const EnvironWith&) = delete;
  EnvironWith& operator=(EnvironWith&&) = delete;
  ~EnvironWith() = default;

  // For execve(2); borrows from this.
  [[nodiscard]] char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

}  // namespace shadow::sys
