// SPDX-License-Identifier: MIT
// Contents by their hash: STATE/blobs/xx/NAME, where NAME is the XXH3-128 of the content in hex.
//
// The hash is not cryptographic, and an agent may choose contents that collide: a content that
// meets another one under its name gets a name with a suffix ("HEX-1"). Whoever needs "the blob of
// this hash" asks whether the name that came back is the hash.

#pragma once

#include "base/hash.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::store {

class Blobs {
 public:
  // Opens STATE/blobs, made when missing.
  explicit Blobs(const std::string& state_path);

  // Stores the content of a regular file (read from its start, whatever the offset) or of bytes and
  // returns its name. Nothing is written when it is there already. Throws SysError, and StaleError
  // when it is no regular file by now.
  [[nodiscard]] std::string put(int fd);
  [[nodiscard]] std::string put_bytes(std::string_view bytes);

  // Stores the regular file `name` of `dirfd`, whose content has this hash: by renaming it, when it
  // lies on the same filesystem and has no other name, else by copying, and then it stays.
  struct Taken {
    std::string name;
    bool moved;
  };
  [[nodiscard]] Taken take(int dirfd, const std::string& name, Hash128 hash);

  // The content, for reading; empty Fd when there is none of that name. Both throw SysError when
  // they cannot look.
  [[nodiscard]] sys::Fd open(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;
  void remove(const std::string& name);

  // All names, sorted.
  [[nodiscard]] std::vector<std::string> list() const;

  // Removes what processes that died left half-written.
  void remove_leftovers();

  // Returns when all that was put is on disk.
  void sync();

 private:
  void make_shelf(const std::string& hex) const;
  // Renames a file of the same filesystem to the name its content gets; removes it when the content
  // is there already.
  std::string settle(int dirfd, const std::string& from, Hash128 hash);
  [[nodiscard]] std::string new_temporary();

  sys::Fd dir_;
  std::uint64_t counter_ = 0;
};

// The hash of a regular file's content, read from its start: XXH3-128, above 256 MiB of a text that
// replaces long runs of zeros by their number, because a sparse file may claim to be a TiB long.
// Throws SysError, and StaleError when it is no regular file by now.
[[nodiscard]] Hash128 hash_file(int fd);

}  // namespace shadow::store
