// SPDX-License-Identifier: MIT
#include "support/scratch.hpp"

#include "shadow/error.hpp"

#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <sys/stat.h>

namespace shadow::test {

Scratch::Scratch() {
  path_ = sys::environment("TMPDIR").value_or("/tmp") + "/shadow-test-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    throw_errno("make " + path_);
  }
}

Scratch::~Scratch() {
  try {
    sys::remove_tree(AT_FDCWD, path_);
  } catch (const Error& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
  }
}

sys::Fd open_dir(const std::string& path) {
  return sys::open_path(path, O_RDONLY | O_DIRECTORY);
}

void write_file(const std::string& path, std::string_view bytes) {
  const sys::Fd fd = sys::open_path(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  sys::write_all(fd.get(), bytes);
}

void write_file(const std::string& path, std::string_view bytes, mode_t mode) {
  write_file(path, bytes);
  if (::chmod(path.c_str(), mode) != 0) {
    throw_errno("set the mode of " + path);
  }
}

std::string read_file(const std::string& path) {
  const sys::Fd fd = sys::open_path(path, O_RDONLY);
  return sys::read_all(fd.get());
}

void make_dirs(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0755) != 0 && errno != EEXIST) {
      throw_errno("mkdir " + part);
    }
    if (at == std::string::npos) {
      return;
    }
  }
}

}  // namespace shadow::test
