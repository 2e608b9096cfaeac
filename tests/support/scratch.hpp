// SPDX-License-Identifier: MIT
// A directory of a test's own, and files in it.

#pragma once

#include "sys/files/fd.hpp"

#include <string>
#include <string_view>

#include <sys/types.h>

namespace shadow::test {

// A directory that is gone with the object, whatever lies in it.
class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_ + '/' + std::string{name};
  }

 private:
  std::string path_;
};

[[nodiscard]] sys::Fd open_dir(const std::string& path);

// One that is there keeps its mode, unless another is named.
void write_file(const std::string& path, std::string_view bytes);
void write_file(const std::string& path, std::string_view bytes, mode_t mode);
[[nodiscard]] std::string read_file(const std::string& path);
// With the missing ones above.
void make_dirs(const std::string& path);

}  // namespace shadow::test
