// SPDX-License-Identifier: MIT
#include "sys/processes/guest.hpp"

#include <mutex>

namespace shadow::sys {
namespace {

struct Guest {
  std::mutex lock;
  std::string programs;
};

Guest& guest() {
  static Guest the_one;
  return the_one;
}

}  // namespace

void become_guest(const std::string& programs) {
  const std::lock_guard lock{guest().lock};
  guest().programs = programs;
}

bool is_guest() {
  return !guest_programs().empty();
}

std::string guest_programs() {
  const std::lock_guard lock{guest().lock};
  return guest().programs;
}

}  // namespace shadow::sys
