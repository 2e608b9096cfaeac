// SPDX-License-Identifier: MIT
// Attacks by talking to processes outside: sockets, descriptors, shared memory, signals.
#include "attack.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/vm_sockets.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

namespace escape {
namespace {

sockaddr_un unix_address(const std::string& path, bool abstract, socklen_t& length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t at = abstract ? 1 : 0;
  path.copy(address.sun_path + at, sizeof address.sun_path - 1 - at);
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + at + path.size());
  return address;
}

int connect_unix(const std::string& path, bool abstract, int type) {
  const int fd = ::socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  socklen_t length = 0;
  const sockaddr_un address = unix_address(path, abstract, length);
  return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0 ? fd : -1;
}

// A listener reached by its path under any name that it has.
std::string talk_by_path(const std::string& path) {
  // sun_path is short; the directory is entered, as any client of a long path does.
  const std::size_t slash = path.rfind('/');
  if (::chdir(path.substr(0, slash).c_str()) != 0) {
    return errno_name();
  }
  return outcome(connect_unix(path.substr(slash + 1), false, SOCK_STREAM));
}

std::string talk_abstract(const Bait& bait) {
  return outcome(connect_unix(bait.text("abstract"), true, SOCK_STREAM));
}

std::string send_abstract(const Bait& bait) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  socklen_t length = 0;
  const sockaddr_un address = unix_address(bait.text("abstract-datagram"), true, length);
  return outcome(::sendto(fd, "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), length));
}

// A process outside that hands over a descriptor of the real project gives it away.
std::string receive_descriptor(const Bait& bait) {
  const std::string path = bait.text("socket");
  const std::size_t slash = path.rfind('/');
  if (::chdir(path.substr(0, slash).c_str()) != 0) {
    return errno_name();
  }
  const int fd = connect_unix(path.substr(slash + 1), false, SOCK_STREAM);
  if (fd < 0) {
    return errno_name();
  }
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (::recvmsg(fd, &message, MSG_CMSG_CLOEXEC) < 0) {
    return errno_name();
  }
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) {
    return "no descriptor";
  }
  int received = -1;
  std::memcpy(&received, CMSG_DATA(header), sizeof received);
  const int inside = ::openat(received, "lower-only", O_RDONLY | O_CLOEXEC);
  return outcome(inside);
}

std::string write_fifo(const std::string& path) {
  return try_open(path, O_WRONLY);
}

std::string connect_inet(const Bait& bait, int type) {
  const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  address.sin_port =
      ::htons(static_cast<std::uint16_t>(bait.number(type == SOCK_STREAM ? "tcp" : "udp")));
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return errno_name();
  }
  // Nobody at the port: the second send learns of the ICMP error that the first one caused.
  (void)::send(fd, "x", 1, MSG_NOSIGNAL);
  return outcome(::send(fd, "x", 1, MSG_NOSIGNAL));
}

std::string connect_machine(const Bait& /*bait*/) {
  const int fd = ::socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) {
    return errno_name();
  }
  sockaddr_vm address{};
  address.svm_family = AF_VSOCK;
  address.svm_cid = VMADDR_CID_HOST;
  constexpr unsigned kUnlikely = 0x7ffffff0;
  address.svm_port = kUnlikely;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
      errno == EINPROGRESS) {
    return "OK";
  }
  return errno_name();
}

std::string raw_socket(int family, int type, int protocol) {
  return outcome(::socket(family, type | SOCK_CLOEXEC, protocol));
}

// Takes the loopback interface down: with the host's network that would be the host's.
std::string change_network(const Bait& bait) {
  if (bait.text("net") == "none") {
    return "EPERM";  // its own: nothing of the host is there to be changed
  }
  const int fd = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  struct {
    nlmsghdr header;
    ifinfomsg link;
  } request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = RTM_NEWLINK;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
  request.link.ifi_index = 1;
  request.link.ifi_change = 0;  // changes nothing where it is allowed
  if (fd < 0 || ::send(fd, &request, sizeof request, 0) < 0) {
    return errno_name();
  }
  struct {
    nlmsghdr header;
    nlmsgerr error;
    char rest[256];
  } answer{};
  if (::recv(fd, &answer, sizeof answer, 0) < 0) {
    return errno_name();
  }
  errno = -answer.error.error;
  return answer.error.error == 0 ? "OK" : errno_name();
}

std::string forge_event(const Bait& /*bait*/) {
  const int fd = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
  sockaddr_nl group{};
  group.nl_family = AF_NETLINK;
  group.nl_groups = 2;  // udev's, whose programs run as root
  return fd < 0 ? errno_name()
                : outcome(::sendto(fd, "x", 1, 0, reinterpret_cast<const sockaddr*>(&group),
                                   sizeof group));
}

std::string attach_memory(const Bait& bait) {
  const void* memory = ::shmat(bait.number("sysv-shm"), nullptr, SHM_RDONLY);
  return reinterpret_cast<std::intptr_t>(memory) != -1 ? "OK" : errno_name();
}

std::string find_memory(const Bait& bait) {
  return outcome(::shmget(bait.number("sysv-key"), 0, 0));
}

std::string read_messages(const Bait& bait) {
  return outcome(::msgget(bait.number("sysv-key"), 0));
}

std::string take_semaphores(const Bait& bait) {
  return outcome(::semget(bait.number("sysv-key"), 0, 0));
}

std::string open_queue(const Bait& bait) {
  return outcome(::mq_open(("/" + bait.text("queue")).c_str(), O_RDWR));
}

// The process group has members outside of the pid namespace: whoever started shadow and what
// else is in its pipeline. The driver looks whether one of them got the signal.
std::string signal_group(const Bait& /*bait*/) {
  return ::kill(0, SIGUSR1) == 0 ? "own only" : errno_name();
}

std::string signal_all(const Bait& /*bait*/) {
  return ::kill(-1, SIGUSR1) == 0 ? "own only" : errno_name();
}

std::string slow_group(const Bait& /*bait*/) {
  constexpr int kLowest = 19;
  return outcome(::setpriority(PRIO_PGRP, 0, kLowest));
}

std::string idle_group(const Bait& /*bait*/) {
  constexpr int kWhoGroup = 2;
  constexpr int kIdleClass = 3 << 13;
  return outcome(::syscall(SYS_ioprio_set, kWhoGroup, 0, kIdleClass));
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt, Levels levels = Levels::All) {
  return {"ipc", name, how, expected, levels, std::move(attempt)};
}

Attacks sockets() {
  constexpr const char* kNothing = "ENOENT|ECONNREFUSED";
  const char* const abstract =
      has_landlock_scopes() ? "EPERM|ECONNREFUSED" : "open in default: Abstract sockets";
  return {
      attack("talk to a socket outside", "connect by path", "open: Sockets and FIFOs by path",
             [](const Bait& bait) { return talk_by_path(bait.text("socket")); }),
      attack("receive a descriptor of the real project", "SCM_RIGHTS from a process outside",
             "open: Sockets and FIFOs by path", receive_descriptor),
      attack("write to a FIFO outside", "open(O_WRONLY), a reader outside",
             "open: Sockets and FIFOs by path",
             [](const Bait& bait) { return write_fifo(bait.text("fifo")); }),
      attack("talk to a socket in the home", "connect by path", kNothing,
             [](const Bait& bait) { return talk_by_path(bait.text("home-socket")); }),
      attack("talk to a socket in the project", "connect by path", "ENOENT|ECONNREFUSED|EACCES",
             [](const Bait& bait) { return talk_by_path(bait.text("project-socket")); }),
      attack("write to a FIFO in the home", "open(O_WRONLY), a reader outside", "ENXIO|ENOENT",
             [](const Bait& bait) { return write_fifo(bait.text("home-fifo")); }),
      attack("talk to a socket in /tmp", "connect by path", kNothing,
             [](const Bait& bait) { return talk_by_path(bait.text("tmp-socket")); }),
      attack("talk to a socket in /dev/shm", "connect by path", kNothing,
             [](const Bait& bait) { return talk_by_path(bait.text("shm-socket")); }),
      attack("talk to a socket in /run", "connect by path", kNothing,
             [](const Bait& bait) { return talk_by_path(bait.text("run-socket")); }),
      attack("talk to an abstract socket", "connect", abstract, talk_abstract),
      attack("send to an abstract socket", "sendto", abstract, send_abstract),
      attack("talk to a server on the loopback", "TCP to 127.0.0.1", "open in default: The network",
             [](const Bait& bait) { return connect_inet(bait, SOCK_STREAM); }),
      attack("send to a server on the loopback", "UDP to 127.0.0.1", "open in default: The network",
             [](const Bait& bait) { return connect_inet(bait, SOCK_DGRAM); }),
      attack("talk to the hypervisor", "AF_VSOCK", "open in default: The network", connect_machine),
      attack("forge packets", "AF_PACKET", "EPERM|EAFNOSUPPORT",
             [](const Bait&) { return raw_socket(AF_PACKET, SOCK_RAW, 0); }),
      attack("forge IP packets", "SOCK_RAW", "EPERM|EAFNOSUPPORT",
             [](const Bait&) { return raw_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); }),
      attack("change an interface", "RTM_NEWLINK", "EPERM", change_network),
      attack("forge an event of the kernel", "NETLINK_KOBJECT_UEVENT to udev's group",
             "EPERM|ECONNREFUSED", forge_event)};
}

Attacks objects() {
  constexpr const char* kNone = "ENOENT|EINVAL|EIDRM";
  return {attack("attach System V memory", "shmat by id", kNone, attach_memory),
          attack("find System V memory", "shmget by key", kNone, find_memory),
          attack("find a System V message queue", "msgget by key", kNone, read_messages),
          attack("find System V semaphores", "semget by key", kNone, take_semaphores),
          attack("open a POSIX message queue", "mq_open", kNone, open_queue)};
}

Attacks signals() {
  return {attack("signal the caller's process group", "kill(0); the driver looks", "own only|EPERM",
                 signal_group),
          attack("signal everything", "kill(-1); the driver looks", "own only|EPERM|ESRCH",
                 signal_all, Levels::Plain),
          attack("slow the caller's process group", "setpriority(PRIO_PGRP)",
                 "open: Side channels and denial of service", slow_group, Levels::Plain),
          attack("slow the input and output of the group", "ioprio_set(WHO_PGRP)",
                 "open: Side channels and denial of service", idle_group, Levels::Plain)};
}

}  // namespace

Attacks ipc_attacks() {
  Attacks all = sockets();
  for (const Attacks& more : {objects(), signals()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace escape
