// SPDX-License-Identifier: MIT
// What every review command needs besides its own options.

#pragma once

#include "cli/output/output.hpp"
#include "cli/parser/options.hpp"
#include "cli/render/json.hpp"
#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::cli {

struct Context {
  GlobalOptions global;
  Output out;
  bool color = false;

  [[nodiscard]] session::ReviewSession open() const;
  void print(const Json& record) { out.write(to_line(record)); }
};

// "shadow: text" on stderr.
void print_note(const std::string& text);

}  // namespace shadow::cli
