// SPDX-License-Identifier: MIT
#include "cli/render/sessions.hpp"

#include "base/amounts.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace shadow::cli {

namespace {

constexpr std::size_t kColumns = 6;
using Cells = std::array<std::string, kColumns>;

// `~`: as of the last look, and the session may have changed since.
std::string about(const ListedSession& session, const std::optional<std::string>& number) {
  return number ? (session.outdated ? "~" : "") + *number : "?";
}

std::optional<std::string> size_of(const ListedSession& session) {
  return session.bytes && session.home_bytes
             ? std::optional{human_size(*session.bytes + *session.home_bytes)}
             : std::nullopt;
}

Cells cells_of(const ListedSession& session) {
  std::string state = session.live ? "live" : "";
  if (session.project_missing) {
    state = "project is gone";
  } else if (session.project_replaced) {
    state = "project was replaced";
  }
  return {printable(session.session.agent),
          about(session,
                session.changed ? std::optional{std::to_string(*session.changed)} : std::nullopt),
          about(session, size_of(session)),
          local_time(session.session.used_ns),
          printable(session.session.project),
          std::move(state)};
}

Json number_or_null(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

// Characters, as far as columns are concerned: bytes that do not continue a UTF-8 sequence.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

}  // namespace

std::string sessions_text(const std::vector<ListedSession>& sessions) {
  if (sessions.empty()) {
    return "no sessions\n";
  }
  std::vector<Cells> rows{{"AGENT", "CHANGES", "SIZE", "LAST USED", "PROJECT", ""}};
  for (const ListedSession& session : sessions) {
    rows.push_back(cells_of(session));
  }
  // A name of ten thousand characters must not push everything else off the screen.
  constexpr std::size_t kWidest = 40;
  std::array<std::size_t, kColumns> widths{};
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      widths.at(i) = std::max(widths.at(i), std::min(width_of(row.at(i)), kWidest));
    }
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < kColumns; ++i) {
      line += row.at(i);
      const std::size_t width = width_of(row.at(i));
      line.append(width < widths.at(i) ? widths.at(i) - width : 0, ' ');
      line += "  ";
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Json sessions_json(const std::vector<ListedSession>& sessions) {
  Json top;
  top["sessions"] = Json::array();
  for (const ListedSession& session : sessions) {
    Json record;
    record["id"] = session.session.id;
    set_bytes(record, "project", session.session.project);
    set_bytes(record, "agent", session.session.agent);
    record["changes"] = number_or_null(session.changed);
    record["bytes"] = number_or_null(session.bytes);
    record["home_bytes"] = number_or_null(session.home_bytes);
    record["outdated"] = session.outdated;
    record["counted"] =
        session.counted_ns == 0 ? Json(nullptr) : Json(utc_time(session.counted_ns));
    record["created"] = utc_time(session.session.created_ns);
    record["used"] = utc_time(session.session.used_ns);
    record["live"] = session.live;
    record["project_missing"] = session.project_missing;
    record["project_replaced"] = session.project_replaced;
    if (!session.session.note.empty()) {
      record["note"] = session.session.note;
    }
    top["sessions"].push_back(std::move(record));
  }
  return top;
}

}  // namespace shadow::cli
