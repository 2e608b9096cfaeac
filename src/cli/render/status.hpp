// SPDX-License-Identifier: MIT
// `shadow status` in its three forms. Pure.

#pragma once

#include "cli/render/json.hpp"
#include "status/status.hpp"
#include "store/tables/sessions.hpp"

#include <string>

namespace shadow::cli {

[[nodiscard]] std::string status_text(const store::SessionRow& session,
                                      const status::StatusReport& report, bool color);

enum class LineEnd : std::uint8_t { Newline, Nul };

// One line a change, and one with the columns "I.." for each ignored directory or file. With NUL
// ends the paths are raw, else quoted as git does.
[[nodiscard]] std::string status_porcelain(const status::StatusReport& report, LineEnd end);

[[nodiscard]] Json status_json(const store::SessionRow& session,
                               const status::StatusReport& report);

// "session 'a' of '/p'".
[[nodiscard]] std::string session_title(const store::SessionRow& session);
[[nodiscard]] Json session_json(const store::SessionRow& session);

}  // namespace shadow::cli
