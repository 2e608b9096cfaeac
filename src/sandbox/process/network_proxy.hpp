// SPDX-License-Identifier: MIT
// The proxy of a run with --net=allow: a program of its own, a child of the supervisor, outside of
// the run's namespaces. Pid 1 makes the socket on which it listens, because a socket belongs to the
// network namespace that it was made in, whoever holds it.

#pragma once

#include "policy/allow_list.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace shadow::sandbox {

// On the loopback of the run's own network namespace, where every port is free. The one that is
// known for web proxies.
constexpr std::uint16_t kProxyPort = 3128;

class NetworkProxy {
 public:
  NetworkProxy() = default;
  // Starts the program; it waits for its socket. Throws SysError when it cannot be executed.
  explicit NetworkProxy(const policy::AllowList& allowed);
  NetworkProxy(const NetworkProxy&) = delete;
  NetworkProxy(NetworkProxy&& other) noexcept;
  NetworkProxy& operator=(const NetworkProxy&) = delete;
  NetworkProxy& operator=(NetworkProxy&&) = delete;
  // Kills it.
  ~NetworkProxy();

  // For pid 1: -1 without a proxy.
  [[nodiscard]] int channel() const { return channel_.get(); }

  // Tells it that the run is over. What it denied: "COUNT DESTINATION", one a line. Throws Error
  // when it was not there any more to say so.
  [[nodiscard]] std::string finish();

 private:
  void end();

  sys::Fd channel_;
  pid_t pid_ = -1;
};

// In pid 1, with the loopback up: listens, hands the socket over and waits until the proxy is ready
// for connections. Throws Error.
void listen_for_proxy(int channel);

}  // namespace shadow::sandbox
