// SPDX-License-Identifier: MIT
// The request of a client to the proxy (RFC 9110, 9.3.6 and RFC 9112, 3.2). Pure; every byte is
// hostile.

#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace shadow::proxy {

// The request line and the header fields together.
constexpr std::size_t kMostHeadBytes = 8192;

struct Request {
  bool tunnel = false;  // CONNECT
  std::string host;     // canonical
  std::uint16_t port = 0;
  // Without a tunnel: the head as the server is to get it. It names the host that was checked and
  // asks for the connection to be closed, since the next request may be for another host.
  std::string head;
};

// Statuses of HTTP that say why nothing is passed on.
inline constexpr int kBadRequest = 400;
inline constexpr int kForbidden = 403;

// The answer to a request that is not served. The client gets `what()`.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, const std::string& why) : std::runtime_error{why}, status_{status} {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

// `head` ends in an empty line. Throws Refusal.
[[nodiscard]] Request parse_request(std::string_view head);

// A whole answer that closes the connection.
[[nodiscard]] std::string refusal_text(const Refusal& refusal);

}  // namespace shadow::proxy
