// SPDX-License-Identifier: MIT
#include "proxy/connection.hpp"

#include "proxy/reach.hpp"
#include "proxy/relay.hpp"
#include "proxy/request.hpp"
#include "sys/files/clock.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace shadow::proxy {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

bool readable_before(int fd, std::int64_t deadline) {
  const std::int64_t left = (deadline - sys::monotonic_ns()) / kMillisecond;
  pollfd one{fd, POLLIN, 0};
  return left > 0 && ::poll(&one, 1, static_cast<int>(left)) == 1;
}

struct Head {
  std::string text;   // up to and with the empty line
  std::string early;  // what came behind it
};

// One deadline for all of it: a byte now and then does not extend it.
Head read_head(int client) {
  constexpr std::int64_t kHeadMs = 30'000;
  constexpr std::string_view kEnd = "\r\n\r\n";
  const std::int64_t deadline = sys::monotonic_ns() + kHeadMs * kMillisecond;
  std::string text;
  std::array<char, 2048> buffer{};
  while (text.size() < kMostHeadBytes && readable_before(client, deadline)) {
    const std::size_t room = std::min(buffer.size(), kMostHeadBytes - text.size());
    const ssize_t got = ::recv(client, buffer.data(), room, 0);
    if (got <= 0) {
      break;
    }
    const std::size_t from = text.size() < kEnd.size() ? 0 : text.size() - kEnd.size() + 1;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (const std::size_t at = text.find(kEnd, from); at != std::string::npos) {
      return {text.substr(0, at + kEnd.size()), text.substr(at + kEnd.size())};
    }
  }
  throw Refusal{kBadRequest, "the request's head is too long, too slow or not whole"};
}

void say(int client, std::string_view text) {
  // Short enough for a socket's buffer; a client that does not read it gets part of it.
  (void)::send(client, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Closing with bytes unread resets the connection, and the client may lose the answer with it.
void close_softly(int client) {
  constexpr std::int64_t kLingerMs = 1000;
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  const std::int64_t deadline = sys::monotonic_ns() + kLingerMs * kMillisecond;
  ::shutdown(client, SHUT_WR);
  std::array<char, 4096> buffer{};
  std::size_t total = 0;
  while (total < kMost && readable_before(client, deadline)) {
    const ssize_t got = ::recv(client, buffer.data(), buffer.size(), 0);
    if (got <= 0) {
      return;
    }
    total += static_cast<std::size_t>(got);
  }
}

void serve(int client, const policy::AllowList& allowed, Denials& denials) {
  const Head head = read_head(client);
  const Request request = parse_request(head.text);
  const sys::Fd server = reach(request, allowed, denials);
  if (request.tunnel) {
    say(client, "HTTP/1.1 200 Connection established\r\n\r\n");
  }
  relay(client, server.get(), request.head + head.early);
}

}  // namespace

void serve_client(int client, const policy::AllowList& allowed, Denials& denials) noexcept {
  const int on = 1;
  ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  try {
    serve(client, allowed, denials);
  } catch (const Refusal& refusal) {
    say(client, refusal_text(refusal));
    close_softly(client);
  } catch (const std::exception&) {
    // Out of memory: the connection is closed, which says as much as can be said.
    return;
  }
}

}  // namespace shadow::proxy
