// SPDX-License-Identifier: MIT
// A directory of a test's own, removed with everything in it at the end.

#pragma once

#include "shadow/error.hpp"

#include "sys/dir.hpp"
#include "sys/fd.hpp"

#include <cstdlib>
#include <string>

namespace shadow::test {

class ScratchDir {
 public:
  ScratchDir() {
    const char* base = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): one thread
    path_ = std::string{base == nullptr ? "/tmp" : base} + "/shadow-test-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      throw_errno("make a scratch directory");
    }
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir(ScratchDir&&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  ScratchDir& operator=(ScratchDir&&) = delete;
  ~ScratchDir() {
    try {
      sys::remove_tree(AT_FDCWD, path_);
    } catch (const Error&) {
      return;  // what is left lies in the scratch area
    }
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace shadow::test
