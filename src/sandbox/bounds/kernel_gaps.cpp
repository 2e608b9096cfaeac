// SPDX-License-Identifier: MIT
#include "sandbox/bounds/kernel_gaps.hpp"

#include "sandbox/bounds/landlock.hpp"

namespace shadow::sandbox {

std::vector<std::string> kernel_gaps(int landlock_abi, policy::Network network) {
  std::vector<std::string> gaps;
  if (landlock_abi < kLandlockScopeAbi) {
    // They belong to the network namespace: with one of its own a run meets nobody's.
    if (network == policy::Network::Host) {
      gaps.emplace_back("abstract sockets");
    }
    gaps.emplace_back("signals to the caller's process group");
  }
  return gaps;
}

}  // namespace shadow::sandbox
