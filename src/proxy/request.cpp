// SPDX-License-Identifier: MIT
#include "proxy/request.hpp"

#include "policy/allow_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace shadow::proxy {

using policy::HostAndPort;

namespace {

constexpr std::string_view kEnd = "\r\n";

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return lower(x) == lower(y);
  });
}

// Takes what stands before `separator`, and the separator, off the front.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + separator.size());
  return taken;
}

// A line break that is not CR LF, or any other control character, may be read one way here and
// another way by the server.
bool is_plain(std::string_view line) {
  return std::none_of(line.begin(), line.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

HostAndPort authority(std::string_view text) {
  const auto read = policy::parse_host_and_port(text);
  if (!read) {
    throw Refusal{kBadRequest, "not a host and a port"};
  }
  return *read;
}

// Those that concern this hop only (RFC 9110, 7.6.1), and the host, which is written anew.
bool is_dropped(std::string_view name) {
  constexpr std::array<std::string_view, 7> kDropped = {
      "Host", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization",
      "TE",   "Upgrade"};
  return std::any_of(kDropped.begin(), kDropped.end(),
                     [&](std::string_view dropped) { return equal_ignoring_case(name, dropped); });
}

// The lines after the first, up to the empty one.
std::string kept_fields(std::string_view rest) {
  std::string kept;
  for (;;) {
    const auto line = take_until(rest, kEnd);
    if (!line || !is_plain(*line)) {
      throw Refusal{kBadRequest, "not a request"};
    }
    if (line->empty()) {
      return kept;
    }
    const std::size_t colon = line->find(':');
    if (colon == std::string_view::npos || !is_token(line->substr(0, colon))) {
      throw Refusal{kBadRequest, "not a header field"};
    }
    if (!is_dropped(line->substr(0, colon))) {
      kept.append(*line).append(kEnd);
    }
  }
}

}  // namespace

Request parse_request(std::string_view head) {
  std::string_view rest = head;
  std::string_view line = take_until(rest, kEnd).value_or("");
  const std::string_view method = take_until(line, " ").value_or("");
  std::string_view target = take_until(line, " ").value_or("");
  if (!is_token(method) || target.empty() || !is_plain(target) ||
      (line != "HTTP/1.1" && line != "HTTP/1.0")) {
    throw Refusal{kBadRequest, "not a request"};
  }
  const std::string fields = kept_fields(rest);
  Request request;
  if (method == "CONNECT") {
    const HostAndPort to = authority(target);
    if (to.port == 0) {
      throw Refusal{kBadRequest, "CONNECT without a port"};
    }
    request.tunnel = true;
    request.host = to.host;
    request.port = to.port;
    return request;
  }
  constexpr std::string_view kScheme = "http://";
  if (!equal_ignoring_case(target.substr(0, kScheme.size()), kScheme)) {
    throw Refusal{kBadRequest, "this is a proxy: it takes CONNECT and http:// URLs"};
  }
  target.remove_prefix(kScheme.size());
  const std::size_t path_at = std::min(target.find_first_of("/?#"), target.size());
  const std::string_view path = target.substr(path_at);
  const HostAndPort to = authority(target.substr(0, path_at));
  constexpr std::uint16_t kHttp = 80;
  request.host = to.host;
  request.port = to.port == 0 ? kHttp : to.port;
  request.head = fmt::format("{} {}{} {}\r\nHost: {}\r\n{}Connection: close\r\n\r\n", method,
                             path.starts_with('/') ? "" : "/", path, line,
                             policy::host_text(to.host, to.port), fields);
  return request;
}

std::string refusal_text(const Refusal& refusal) {
  const std::string body = std::string{"shadow: "} + refusal.what() + "\n";
  const std::string_view phrase = refusal.status() == kBadRequest  ? "Bad Request"
                                  : refusal.status() == kForbidden ? "Forbidden by --net=allow"
                                                                   : "Bad Gateway";
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      refusal.status(), phrase, body.size(), body);
}

}  // namespace shadow::proxy
