// SPDX-License-Identifier: MIT
// A directory of an upper while names in it are added or taken out: its owner may write to it
// meanwhile, and afterwards it has the mode and the times that it had. They show in the view, and
// what we do to the upper is no work of the session.

#pragma once

#include <array>

#include <sys/stat.h>
#include <sys/types.h>

namespace shadow::overlay {

class Writable {
 public:
  // Borrows the descriptor, which may be O_PATH.
  explicit Writable(int dirfd);
  Writable(const Writable&) = delete;
  Writable(Writable&&) = delete;
  Writable& operator=(const Writable&) = delete;
  Writable& operator=(Writable&&) = delete;
  ~Writable();

 private:
  int dirfd_;
  bool mode_changed_ = false;
  mode_t mode_ = 0;
  std::array<timespec, 2> times_{};
};

}  // namespace shadow::overlay
