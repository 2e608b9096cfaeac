// SPDX-License-Identifier: MIT
// `shadow status` in its three forms. Pure.

#pragma once

#include "shadow/status.hpp"

#include "cli/render/json.hpp"

#include <optional>
#include <string>

namespace shadow::cli {

// `agent`: whom commands that are proposed have to name.
[[nodiscard]] std::string status_text(const StatusReport& report, bool color,
                                      const std::optional<std::string>& agent = std::nullopt);

enum class LineEnd : std::uint8_t { Newline, Nul };

// One line a change, and one with the columns "I.." for each ignored directory or file. With NUL
// ends the paths are raw, else quoted as git does.
[[nodiscard]] std::string status_porcelain(const StatusReport& report, LineEnd end);

[[nodiscard]] JsonText status_json(const StatusReport& report);

// "session 'a' of '/p'".
[[nodiscard]] std::string session_title(const SessionRecord& session);
[[nodiscard]] Json session_json(const SessionRecord& session);

}  // namespace shadow::cli
