// SPDX-License-Identifier: MIT
#include "sandbox/process/network_proxy.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/process/proxy_protocol.hpp"
#include "sys/processes/helper_program.hpp"
#include "sys/processes/process.hpp"
#include "sys/processes/socket.hpp"
#include "sys/processes/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <linux/close_range.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

// The variables that the resolver reads (resolver(3)), and no others of the caller's.
std::vector<std::string> proxy_environment() {
  std::vector<std::string> variables;
  for (const char* name : {"RES_OPTIONS", "LOCALDOMAIN"}) {
    if (const auto value = sys::environment(name)) {
      variables.push_back(std::string{name} + "=" + *value);
    }
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words) {
    out.push_back(word.data());
  }
  out.push_back(nullptr);
  return out;
}

// In the child, before exec. Nothing of the caller's is kept: neither its terminal, whose Ctrl-C is
// for the command, nor its pipes, whose readers would wait for this process too.
void leave_caller(int channel, pid_t supervisor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) {
    ::_exit(1);
  }
  ::setsid();
  if (::chdir("/") != 0) {  // or it would keep a filesystem busy
    ::_exit(1);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    ::dup2(null, fd);
  }
  if (channel == kProxyChannel) {
    ::fcntl(channel, F_SETFD, 0);
  } else {
    ::dup2(channel, kProxyChannel);
  }
  ::close_range(kProxyChannel + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

}  // namespace

NetworkProxy::NetworkProxy(const policy::AllowList& allowed) {
  sys::SocketPair pair = sys::make_socket_pair();
  std::vector<std::string> words = {"shadow-proxy", policy::allow_list_text(allowed)};
  std::vector<std::string> variables = proxy_environment();
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(variables);
  const sys::HelperPlaces places = sys::helper_places(words[0]);
  const pid_t supervisor = ::getpid();
  int error = 0;
  pid_ = sys::run_sharing_memory(sys::Descriptors::Copied, [&]() noexcept {
    leave_caller(pair.theirs.get(), supervisor);
    sys::execute_helper(places, argv.data(), envp.data());
    error = errno;
  });
  channel_ = std::move(pair.ours);
  if (error != 0) {
    sys::wait_for(std::exchange(pid_, -1));
    throw SysError{error, "start " + quoted(places.installed),
                   "shadow is not installed completely; install it again"};
  }
}

NetworkProxy::NetworkProxy(NetworkProxy&& other) noexcept
    : channel_{std::move(other.channel_)}, pid_{std::exchange(other.pid_, -1)} {
}

NetworkProxy::~NetworkProxy() {
  end();
}

void NetworkProxy::end() {
  channel_.reset();
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
}

std::string NetworkProxy::finish() {
  // Not for ever: the caller waits for its exit status.
  constexpr int kPatienceMs = 1000;
  std::optional<sys::Message> said;
  ::shutdown(channel_.get(), SHUT_WR);
  pollfd answer{channel_.get(), POLLIN, 0};
  if (::poll(&answer, 1, kPatienceMs) == 1) {
    said = sys::receive_message(channel_.get(), kMostProxyMessage);
  }
  end();
  if (!said || said->bytes.front() != kProxyDenied) {
    throw Error{"the proxy of --net=allow ended before the run; what it denied is not known"};
  }
  return said->bytes.substr(1);
}

void listen_for_proxy(int channel) {
  const sys::Fd listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kProxyPort);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  constexpr int kBacklog = 64;
  if (!listener ||
      ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.get(), kBacklog) != 0) {
    throw_errno("listen for the proxy");
  }
  sys::send_message(channel, std::string_view{&kProxyListener, 1}, listener.get());
  const auto answer = sys::receive_message(channel, kMostProxyMessage);
  if (!answer) {
    throw Error{"cannot start the proxy of --net=allow: it ended"};
  }
  if (answer->bytes.front() != kProxyReady) {
    throw Error{"cannot start the proxy of --net=allow: " + answer->bytes.substr(1)};
  }
}

}  // namespace shadow::sandbox
