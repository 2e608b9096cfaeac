// SPDX-License-Identifier: MIT
#include "sys/namespaces/outer_namespace.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/files/xattr.hpp"
#include "sys/processes/socket.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

// A message of either direction: the task, a number (an id; an errno in answers), the length of
// the name, then the name and the value of an attribute; or a path and what goes with it.
enum class Task : std::uint32_t {
  GetXattr,
  SetXattr,
  GetGroup,
  GetUser,
  GiveGroup,
  OpenJoined,
  ListWritableFiles
};
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
constexpr std::size_t kMostOfMessage = 65536 + 256 + sizeof(Head);

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

// Plain data of this very program, which the child is a copy of.
template <class Item>
std::string bytes_of(const std::vector<Item>& items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  return std::string{reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
}

template <class Item>
std::vector<Item> items_of(std::string_view bytes) {
  std::vector<Item> items(bytes.size() / sizeof(Item));
  if (!items.empty()) {  // data() may be null then, which memcpy(3) must not be given
    std::memcpy(items.data(), bytes.data(), items.size() * sizeof(Item));
  }
  return items;
}

// There may be more of them than a message takes.
Fd written_down(const std::vector<WritableFile>& files) {
  Fd list{::memfd_create("files", MFD_CLOEXEC)};
  if (!list) {
    throw_errno("make a list of files");
  }
  write_all(list.get(), bytes_of(files));
  return list;
}

std::string read_from_start(int list) {
  if (::lseek(list, 0, SEEK_SET) != 0) {
    throw_errno("read a list of files");
  }
  return read_all(list);
}

Fd carry_out(Letter& letter, int fd) {
  switch (letter.head.task) {
    case Task::GetXattr: {
      auto value = get_xattr(fd, letter.name);
      letter.head.number = value ? 1 : 0;
      letter.value = std::move(value).value_or("");
      break;
    }
    case Task::SetXattr:
      set_xattr(fd, letter.name, letter.value);
      letter.value.clear();
      break;
    case Task::GetGroup:
    case Task::GetUser: {
      struct stat st {};
      if (::fstat(fd, &st) != 0) {
        throw_errno("look at a file");
      }
      letter.head.number = letter.head.task == Task::GetUser ? st.st_uid : st.st_gid;
      break;
    }
    case Task::GiveGroup:
      if (::fchownat(fd, "", static_cast<uid_t>(-1), letter.head.number, AT_EMPTY_PATH) != 0) {
        throw_errno("give a file its group");
      }
      break;
    case Task::OpenJoined:
      return open_joined(items_of<HeldNamespaces>(letter.value).at(0), letter.name,
                         static_cast<Refreshing>(letter.head.number));
    case Task::ListWritableFiles:
      return written_down(writable_files_of(items_of<pid_t>(letter.value)));
  }
  return {};
}

// The child's whole life. Signals that end or interrupt its parent go to the whole process group,
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
  while (const auto message = receive_message(socket, kMostOfMessage)) {
    auto letter = unpacked(message->bytes);
    if (!letter) {
      break;
    }
    Fd opened;
    try {
      opened = carry_out(*letter, message->descriptor.get());
    } catch (const SysError& error) {
      letter->head.error = static_cast<std::uint32_t>(error.errno_value());
      letter->value.clear();
    }
    if (!send_message(socket, packed(*letter), opened.get())) {
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

struct Answer {
  Letter letter;
  Fd opened;
};

Answer ask(Letter letter, int fd, const std::string& what) {
  std::optional<Letter> answer;
  Fd opened;
  {
    const std::lock_guard lock{outer().one_at_a_time};
    if (send_message(outer().socket.get(), packed(letter), fd)) {
      if (auto message = receive_message(outer().socket.get(), kMostOfMessage)) {
        answer = unpacked(message->bytes);
        opened = std::move(message->descriptor);
      }
    }
  }
  if (!answer) {
    throw SysError{EPIPE, what};
  }
  if (answer->head.error != 0) {
    throw SysError{static_cast<int>(answer->head.error), what};
  }
  return {*std::move(answer), std::move(opened)};
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
  Letter answer = ask({{Task::GetXattr}, name, {}}, fd, "read attribute " + quoted(name)).letter;
  return answer.head.number != 0 ? std::optional{std::move(answer.value)} : std::nullopt;
}

void outer_set_xattr(int fd, const std::string& name, const std::string& value) {
  (void)ask({{Task::SetXattr}, name, value}, fd, "set attribute " + quoted(name));
}

std::uint32_t outer_group(int fd) {
  return ask({{Task::GetGroup}, {}, {}}, fd, "look at a file").letter.head.number;
}

std::uint32_t outer_user(int fd) {
  return ask({{Task::GetUser}, {}, {}}, fd, "look at a file").letter.head.number;
}

void outer_give_group(int fd, std::uint32_t group) {
  (void)ask({{Task::GiveGroup, group}, {}, {}}, fd, "give a file its group");
}

Fd outer_open_joined(const HeldNamespaces& namespaces, const std::string& directory,
                     Refreshing refreshing) {
  Letter letter{{Task::OpenJoined, static_cast<std::uint32_t>(refreshing)}, directory, {}};
  letter.value = bytes_of(std::vector{namespaces});
  return ask(std::move(letter), -1, "open the view of " + quoted(directory)).opened;
}

std::vector<WritableFile> outer_writable_files(const std::vector<pid_t>& processes) {
  const Answer answer = ask({{Task::ListWritableFiles}, {}, bytes_of(processes)}, -1,
                            "look for files that are being written");
  return items_of<WritableFile>(read_from_start(answer.opened.get()));
}

}  // namespace shadow::sys
