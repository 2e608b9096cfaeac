// SPDX-License-Identifier: MIT
// The program `shadow-proxy`, which `shadow run --net=allow:...` starts. Its one argument is the
// list.

#include "policy/allow_list.hpp"
#include "proxy/server.hpp"
#include "sandbox/process/proxy_protocol.hpp"
#include "sys/processes/standard_streams.hpp"

#include <csignal>
#include <exception>

int main(int argc, char** argv) {
  constexpr int kUsage = 2;
  shadow::sys::fill_standard_streams();
  if (argc != 2) {
    return kUsage;
  }
  (void)std::signal(SIGPIPE, SIG_IGN);
  try {
    return shadow::proxy::serve(shadow::sandbox::kProxyChannel,
                                shadow::policy::parse_allow_list(argv[1], "--net"));
  } catch (const std::exception&) {
    return kUsage;
  }
}
