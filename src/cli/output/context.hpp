// SPDX-License-Identifier: MIT
// The context of a review command, besides its own options.

#pragma once

#include "shadow/workspace.hpp"

#include "cli/output/output.hpp"
#include "cli/parser/options.hpp"
#include "cli/render/json.hpp"

#include <optional>
#include <string>

namespace shadow::cli {

struct Context {
  GlobalOptions global;
  Output out;
  bool color = false;

  // The project that is meant, and its session that is, opened. Both open the state.
  [[nodiscard]] workspace::Project project() const;
  [[nodiscard]] workspace::Review open() const;
  // The agent that a proposed command has to name to be about the same session: who was named, or
  // whose session is meant where the project has several.
  [[nodiscard]] std::optional<std::string> agent_to_name() const;
  void print(const Json& record) { out.write(to_line(record)); }
  void print(JsonText record) { out.write(std::move(record).line()); }
};

// The user's state; what a person should know is printed as a note.
[[nodiscard]] workspace::State open_state();

// "shadow: text" on stderr.
void print_note(const std::string& text);

// "hint: text" there: what to do next.
void print_hint(const std::string& text);

}  // namespace shadow::cli
