// SPDX-License-Identifier: MIT
#include "proxy/server.hpp"

#include "shadow/error.hpp"

#include "proxy/confine.hpp"
#include "proxy/connection.hpp"
#include "proxy/denials.hpp"
#include "sandbox/process/proxy_protocol.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/socket.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>
#include <string>

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

namespace shadow::proxy {
namespace {

// As many connections at once as there are threads: what comes above waits in the socket's queue.
// A thread each keeps a slow resolver, which cannot be asked without blocking, to one connection.
constexpr int kThreads = 64;
constexpr std::size_t kStackBytes = std::size_t{256} << 10U;

struct Service {
  int listener = -1;
  const policy::AllowList* allowed = nullptr;
  Denials denials;
};

void* accept_for_ever(void* argument) {
  auto& service = *static_cast<Service*>(argument);
  for (;;) {
    const sys::Fd client{::accept4(service.listener, nullptr, nullptr, SOCK_CLOEXEC)};
    if (client) {
      serve_client(client.get(), *service.allowed, service.denials);
      continue;
    }
    // Out of memory or descriptors for now; not a reason to burn a processor.
    const timespec pause{0, 10'000'000};
    ::nanosleep(&pause, nullptr);
  }
  return nullptr;
}

// The caller's limit of processes may allow fewer; one is enough to work.
void start_threads(Service& service) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int made = 0;
  int error = 0;
  while (made < kThreads && error == 0) {
    pthread_t thread{};
    error = ::pthread_create(&thread, &attributes, accept_for_ever, &service);
    made += error == 0 ? 1 : 0;
  }
  ::pthread_attr_destroy(&attributes);
  if (made == 0) {
    throw SysError{error, "start a thread"};
  }
}

void tell(int channel, char kind, const std::string& text = {}) {
  sys::send_message(channel, (kind + text).substr(0, sandbox::kMostProxyMessage));
}

}  // namespace

int serve(int channel, const policy::AllowList& allowed) {
  // Before anything can fail: a message left unread would make the answer an error for its reader.
  const auto first = sys::receive_message(channel, 1);
  if (!first || !first->descriptor) {
    return 1;  // the run did not come to be
  }
  Service service;
  service.listener = first->descriptor.get();
  service.allowed = &allowed;
  try {
    confine_process();
    start_threads(service);
    confine_threads();
  } catch (const std::exception& error) {
    tell(channel, sandbox::kProxyFailed, error.what());
    return 1;
  }
  tell(channel, sandbox::kProxyReady);
  while (sys::receive_message(channel, 1)) {
  }
  tell(channel, sandbox::kProxyDenied, service.denials.text());
  // The threads are in the middle of something: they end with the process, not before.
  ::_exit(0);
}

}  // namespace shadow::proxy
