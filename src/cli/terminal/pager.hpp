// SPDX-License-Identifier: MIT
// The user's pager, and output that goes through it.

#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::cli {

// The pager's command line: $SHADOW_PAGER, $GIT_PAGER, core.pager of the user's own git
// configuration, $PAGER, else "less"; nullopt for "" and "cat", which mean none. The project's
// configuration is not asked: an agent can write it.
[[nodiscard]] std::optional<std::string> pager_command();

// core.pager in a git configuration's text; nullopt when it is not set there. Includes are not
// followed.
[[nodiscard]] std::optional<std::string> core_pager(std::string_view config);

// A running pager; its stdin is `file()`. When it cannot be started the file is stdout.
class Pager {
 public:
  explicit Pager(std::string command);
  Pager(const Pager&) = delete;
  Pager(Pager&&) = delete;
  Pager& operator=(const Pager&) = delete;
  Pager& operator=(Pager&&) = delete;
  ~Pager();  // closes it

  [[nodiscard]] const std::string& command() const { return command_; }
  [[nodiscard]] std::FILE* file() const { return pipe_ != nullptr ? pipe_ : stdout; }

  // Waits for its end. False if the shell found no such program, or could not run it (sh(1), exit
  // statuses 126 and 127).
  bool close();

 private:
  std::string command_;
  std::FILE* pipe_ = nullptr;
};

}  // namespace shadow::cli
