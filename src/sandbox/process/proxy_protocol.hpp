// SPDX-License-Identifier: MIT
// The messages between shadow-proxy and the two processes that it serves, over its channel. Each
// message begins with one of these bytes.

#pragma once

#include <cstddef>

namespace shadow::sandbox {

// The proxy's end, after exec.
constexpr int kProxyChannel = 3;

constexpr char kProxyListener = 'L';  // pid 1: the listening socket is with it
constexpr char kProxyReady = 'R';     // proxy to pid 1: connections are served
constexpr char kProxyFailed = 'F';    // proxy to pid 1: why it cannot; followed by the message
constexpr char kProxyDenied = 'D';    // proxy, when the run is over: what it denied

// Enough for the longest list of what was denied; a socket takes that much at once.
constexpr std::size_t kMostProxyMessage = std::size_t{32} << 10U;

}  // namespace shadow::sandbox
