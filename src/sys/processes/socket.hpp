// SPDX-License-Identifier: MIT
// A pair of connected sockets over which two processes exchange short messages and a descriptor.

#pragma once

#include "sys/files/fd.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::sys {

// Messages keep their bounds (SOCK_SEQPACKET); both ends are close-on-exec.
struct SocketPair {
  Fd ours;
  Fd theirs;
};
[[nodiscard]] SocketPair make_socket_pair();

// Sends one message, at least one byte, with a copy of `descriptor` unless that is -1. False when
// nobody is there to read it.
bool send_message(int socket, std::string_view bytes, int descriptor = -1);

struct Message {
  std::string bytes;
  Fd descriptor;
};
// The next message, cut at `most` bytes; nullopt when the other end is closed.
[[nodiscard]] std::optional<Message> receive_message(int socket, std::size_t most);

}  // namespace shadow::sys
