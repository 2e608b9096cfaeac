// SPDX-License-Identifier: MIT
#include "proxy/reach.hpp"

#include "proxy/addresses.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace shadow::proxy {
namespace {

constexpr int kBadGateway = 502;

// A name may have as many addresses as its owner likes.
constexpr std::size_t kMostAddresses = 4;
constexpr int kConnectMs = 10'000;

struct Free {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, Free>;

Addresses resolve(const Request& request) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags =
      AI_NUMERICSERV | (policy::is_address(request.host) ? AI_NUMERICHOST : AI_ADDRCONFIG);
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(request.host.c_str(), std::to_string(request.port).c_str(), &wanted, &found);
  if (error != 0) {
    throw Refusal{kBadGateway, "cannot resolve " + request.host + ": " + ::gai_strerror(error)};
  }
  return Addresses{found};
}

// Connects, or leaves errno.
sys::Fd connect_to(const addrinfo& address) {
  sys::Fd socket{::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!socket) {
    return {};
  }
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) {
    return socket;
  }
  if (errno != EINPROGRESS) {
    return {};
  }
  pollfd done{socket.get(), POLLOUT, 0};
  if (::poll(&done, 1, kConnectMs) != 1) {
    errno = ETIMEDOUT;
    return {};
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    errno = error;
    return {};
  }
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

}  // namespace

sys::Fd reach(const Request& request, const policy::AllowList& allowed, Denials& denials) {
  const std::string destination = policy::host_text(request.host, request.port);
  if (!allows(allowed, request.host, request.port)) {
    denials.add(destination);
    throw Refusal{kForbidden, destination + " is not on the list of --net=allow"};
  }
  const Addresses addresses = resolve(request);
  std::string withheld;
  int error = 0;
  std::size_t tried = 0;
  for (const addrinfo* at = addresses.get(); at != nullptr && tried < kMostAddresses;
       at = at->ai_next) {
    const std::string text = address_text(at->ai_addr);
    if (!is_public(at->ai_addr) && !allows(allowed, text, request.port)) {
      withheld = text;
      continue;
    }
    ++tried;
    if (sys::Fd socket = connect_to(*at)) {
      return socket;
    }
    error = errno;
  }
  if (tried == 0 && !withheld.empty()) {
    denials.add(destination + " at " + withheld);
    throw Refusal{kForbidden, destination + " is at " + withheld +
                                  ", which is not public; --net=allow has to name it too"};
  }
  throw Refusal{kBadGateway,
                "cannot connect to " + destination + ": " + std::generic_category().message(error)};
}

}  // namespace shadow::proxy
