// SPDX-License-Identifier: MIT
#include "sys/processes/socket.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

namespace sys = shadow::sys;

TEST_SUITE("sys/socket") {
  TEST_CASE("a descriptor arrives with its message and leads to the same file") {
    const sys::SocketPair pair = sys::make_socket_pair();
    sys::Pipe pipe = sys::make_pipe();
    REQUIRE(sys::send_message(pair.ours.get(), "x", pipe.write_end.get()));
    pipe.write_end.reset();
    const auto message = sys::receive_message(pair.theirs.get(), 1);
    REQUIRE(message);
    CHECK(message->bytes == "x");
    REQUIRE(message->descriptor);
    CHECK((::fcntl(message->descriptor.get(), F_GETFD) & FD_CLOEXEC) != 0);
    CHECK(::write(message->descriptor.get(), "y", 1) == 1);
    char byte = 0;
    CHECK(::read(pipe.read_end.get(), &byte, 1) == 1);
  }

  TEST_CASE("messages keep their bounds, and the end is told from an empty queue") {
    sys::SocketPair pair = sys::make_socket_pair();
    REQUIRE(sys::send_message(pair.ours.get(), "one"));
    REQUIRE(sys::send_message(pair.ours.get(), "two"));
    pair.ours.reset();
    CHECK(sys::receive_message(pair.theirs.get(), 10)->bytes == "one");
    const auto second = sys::receive_message(pair.theirs.get(), 2);
    REQUIRE(second);
    CHECK(second->bytes == "tw");
    CHECK(!second->descriptor);
    CHECK(!sys::receive_message(pair.theirs.get(), 10));
    CHECK(!sys::send_message(pair.theirs.get(), "nobody"));
  }
}
