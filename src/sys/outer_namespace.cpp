// SPDX-License-Identifier: MIT
#include "sys/outer_namespace.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/fd.hpp"
#include "sys/socket.hpp"
#include "sys/xattr.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

// A message of either direction: the task, a number (a group; an errno in answers), the length of
// the name, then the name and the value of an attribute.
enum class Task : std::uint32_t { GetXattr, SetXattr, GetGroup, GiveGroup };
struct Head {
  Task task{};
  std::uint32_t number = 0;
  std::uint32_t error = 0;
  std::uint32_t name_length = 0;
};
struct Letter {
  Head head;
  std::string name;
  std::string value;
};

// XATTR_NAME_MAX and XATTR_SIZE_MAX of limits.h, and the head.
constexpr std::size_t kMostBytes = 65536 + 256 + sizeof(Head);

std::string packed(const Letter& letter) {
  Head head = letter.head;
  head.name_length = static_cast<std::uint32_t>(letter.name.size());
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes + letter.name + letter.value;
}

std::optional<Letter> unpacked(std::string_view bytes) {
  Letter letter;
  if (bytes.size() < sizeof letter.head) {
    return std::nullopt;
  }
  std::memcpy(&letter.head, bytes.data(), sizeof letter.head);
  bytes.remove_prefix(sizeof letter.head);
  if (letter.head.name_length > bytes.size()) {
    return std::nullopt;
  }
  letter.name = bytes.substr(0, letter.head.name_length);
  letter.value = bytes.substr(letter.head.name_length);
  return letter;
}

void carry_out(Letter& letter, int fd) {
  switch (letter.head.task) {
    case Task::GetXattr: {
      auto value = get_xattr(fd, letter.name);
      letter.head.number = value ? 1 : 0;
      letter.value = std::move(value).value_or("");
      return;
    }
    case Task::SetXattr:
      set_xattr(fd, letter.name, letter.value);
      letter.value.clear();
      return;
    case Task::GetGroup: {
      struct stat st {};
      if (::fstat(fd, &st) != 0) {
        throw_errno("look at a file");
      }
      letter.head.number = st.st_gid;
      return;
    }
    case Task::GiveGroup:
      if (::fchownat(fd, "", static_cast<uid_t>(-1), letter.head.number, AT_EMPTY_PATH) != 0) {
        throw_errno("give a file its group");
      }
      return;
  }
}

// The child's whole life. What ends or interrupts its parent is told to the whole process group,
// and the parent may have reasons to go on: only the end of the parent ends it.
[[noreturn]] void serve(int socket) {
  for (const int ignored : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE}) {
    (void)std::signal(ignored, SIG_IGN);
  }
  // Whoever waits for the end of the caller's pipes must not wait for this process.
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    (void)::dup2(null, fd);
  }
  while (const auto message = receive_message(socket, kMostBytes)) {
    auto letter = unpacked(message->bytes);
    if (!letter) {
      break;
    }
    try {
      carry_out(*letter, message->descriptor.get());
    } catch (const SysError& error) {
      letter->head.error = static_cast<std::uint32_t>(error.errno_value());
      letter->value.clear();
    }
    if (!send_message(socket, packed(*letter))) {
      break;
    }
  }
  ::_exit(0);
}

struct Outer {
  std::mutex one_at_a_time;
  Fd socket;
};

Outer& outer() {
  static Outer the_one;
  return the_one;
}

Letter ask(Letter letter, int fd, const std::string& what) {
  std::optional<Letter> answer;
  {
    const std::lock_guard lock{outer().one_at_a_time};
    if (send_message(outer().socket.get(), packed(letter), fd)) {
      if (const auto message = receive_message(outer().socket.get(), kMostBytes)) {
        answer = unpacked(message->bytes);
      }
    }
  }
  if (!answer) {
    throw SysError{EPIPE, what};
  }
  if (answer->head.error != 0) {
    throw SysError{static_cast<int>(answer->head.error), what};
  }
  return *std::move(answer);
}

}  // namespace

void keep_outer_namespace() {
  SocketPair pair = make_socket_pair();
  const pid_t child = ::fork();
  if (child == 0) {
    pair.ours.reset();
    serve(pair.theirs.get());
  }
  if (child > 0) {
    outer().socket = std::move(pair.ours);
  }
}

void forget_outer_namespace() {
  outer().socket.reset();
}

bool has_outer_namespace() {
  return static_cast<bool>(outer().socket);
}

std::optional<std::string> outer_get_xattr(int fd, const std::string& name) {
  Letter answer = ask({{Task::GetXattr}, name, {}}, fd, "read attribute " + quoted(name));
  return answer.head.number != 0 ? std::optional{std::move(answer.value)} : std::nullopt;
}

void outer_set_xattr(int fd, const std::string& name, const std::string& value) {
  (void)ask({{Task::SetXattr}, name, value}, fd, "set attribute " + quoted(name));
}

std::uint32_t outer_group(int fd) {
  return ask({{Task::GetGroup}, {}, {}}, fd, "look at a file").head.number;
}

void outer_give_group(int fd, std::uint32_t group) {
  (void)ask({{Task::GiveGroup, group}, {}, {}}, fd, "give a file its group");
}

}  // namespace shadow::sys
