// SPDX-License-Identifier: MIT
// Files that an apply replaced or deleted, kept for undo: STATE/pre-images/APPLY/SHELF/ORD, by the
// number of the apply and of its step, 64 to a shelf: ext4 takes twice as long to rename thousands
// of files into one directory. They are moved here as they were, unread: hashing each of them
// costs more than all the rest of keeping it.

#pragma once

#include "sys/files/fd.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::store {

class PreImages {
 public:
  // Opens STATE/pre-images, made when missing. Throws SysError.
  explicit PreImages(const std::string& state_path);

  // Moves a regular file here. False when that cannot be done: another filesystem, or a directory
  // that does not release it. Throws SysError if this directory cannot take it.
  [[nodiscard]] bool take(int dirfd, const std::string& name, std::int64_t apply, std::int64_t ord);

  // The content, for reading; empty Fd when there is none. Throws SysError when it cannot
  // look.
  [[nodiscard]] sys::Fd open(std::int64_t apply, std::int64_t ord) const;

  // The path, for messages.
  [[nodiscard]] std::string path_of(std::int64_t apply, std::int64_t ord) const;

  // The applies that have pre-images, in no order; the names of one apply's; their removal.
  struct Usage {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] std::vector<std::int64_t> applies() const;
  [[nodiscard]] Usage usage_of(std::int64_t apply) const;
  void remove(std::int64_t apply);

 private:
  std::string path_;
  sys::Fd dir_;
  sys::Fd shelf_;  // that `take` used last, with its place
  std::string shelf_place_;
};

}  // namespace shadow::store
