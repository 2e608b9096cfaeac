// SPDX-License-Identifier: MIT
#include "proxy/relay.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

namespace shadow::proxy {
namespace {

constexpr int kIdleMs = 15 * 60 * 1000;
constexpr int kHalfClosedMs = 2 * 60 * 1000;

bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

class Direction {
 public:
  Direction(int from, int to) : from_{from}, to_{to} {}

  // Before anything else; at most a request's head is early.
  void preload(std::string_view bytes) {
    end_ = std::min(bytes.size(), buffer_.size());
    std::copy_n(bytes.data(), end_, buffer_.data());
  }

  [[nodiscard]] bool done() const { return ended_ && begin_ == end_; }
  [[nodiscard]] bool wants_to_read() const { return !ended_ && begin_ == end_; }
  [[nodiscard]] bool wants_to_write() const { return begin_ < end_; }

  // False when the connection has failed.
  bool read() {
    const ssize_t got = ::recv(from_, buffer_.data(), buffer_.size(), 0);
    if (got < 0) {
      return would_block();
    }
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
    if (got == 0) {
      ended_ = true;
      ::shutdown(to_, SHUT_WR);
    }
    return true;
  }

  bool write() {
    const ssize_t sent = ::send(to_, buffer_.data() + begin_, end_ - begin_, MSG_NOSIGNAL);
    if (sent < 0) {
      return would_block();
    }
    begin_ += static_cast<std::size_t>(sent);
    return true;
  }

 private:
  int from_;
  int to_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  std::array<char, 16384> buffer_{};
};

short events(bool read, bool write) {
  return static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0));
}

bool serve(Direction& direction, short from, short to) {
  // An error or a hang-up shows as a failed call.
  constexpr short kRead = POLLIN | POLLHUP | POLLERR;
  constexpr short kWrite = POLLOUT | POLLHUP | POLLERR;
  if ((from & kRead) != 0 && direction.wants_to_read() && !direction.read()) {
    return false;
  }
  return (to & kWrite) == 0 || !direction.wants_to_write() || direction.write();
}

}  // namespace

void relay(int client, int server, std::string_view early) {
  for (const int fd : {client, server}) {
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  Direction up{client, server};
  Direction down{server, client};
  up.preload(early);
  while (!up.done() || !down.done()) {
    std::array<pollfd, 2> watched = {
        pollfd{client, events(up.wants_to_read(), down.wants_to_write()), 0},
        pollfd{server, events(down.wants_to_read(), up.wants_to_write()), 0}};
    for (pollfd& one : watched) {
      // poll(2) reports a hang-up whether asked or not, over and over.
      one.fd = one.events == 0 ? -1 : one.fd;
    }
    const bool half = up.done() || down.done();
    const int ready = ::poll(watched.data(), watched.size(), half ? kHalfClosedMs : kIdleMs);
    if (ready == 0 || (ready < 0 && errno != EINTR)) {
      return;
    }
    if (ready > 0 && (!serve(up, watched[0].revents, watched[1].revents) ||
                      !serve(down, watched[1].revents, watched[0].revents))) {
      return;
    }
  }
}

}  // namespace shadow::proxy
