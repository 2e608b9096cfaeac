// SPDX-License-Identifier: MIT
#include "cli/terminal/text_file.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "cli/terminal/environment.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fcntl.h>
#include <ftw.h>
#include <unistd.h>

namespace shadow::cli {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

int remove_entry(const char* path, const struct stat* /*state*/, int /*kind*/, FTW* /*place*/) {
  return std::remove(path);
}

}  // namespace

std::optional<std::string> read_text_file(const std::string& path, std::size_t most) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const File file{fd < 0 ? nullptr : ::fdopen(fd, "r")};
  if (!file) {
    if (fd >= 0) {
      ::close(fd);
    }
    return std::nullopt;
  }
  constexpr std::size_t kPiece = 4096;
  std::string text;
  std::size_t got = 1;
  while (got > 0) {
    const std::size_t filled = text.size();
    text.resize(filled + kPiece);
    got = std::fread(text.data() + filled, 1, kPiece, file.get());
    text.resize(filled + got);
    if (text.size() > most) {
      throw Error{"cannot read a file: it is too large"};
    }
  }
  return text;
}

void write_new_file(const std::string& path, const std::string& text) {
  File file{std::fopen(path.c_str(), "wxe")};
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0) {
    throw_errno("write " + quoted(path));
  }
}

PrivateDir::PrivateDir(const std::string& name, const std::string& what)
    : path_{environment("TMPDIR").value_or("/tmp") + "/" + name + "-XXXXXX"} {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw_errno("make " + what);
  }
}

PrivateDir::~PrivateDir() {
  constexpr int kDescriptors = 8;
  (void)::nftw(path_.c_str(), remove_entry, kDescriptors, FTW_DEPTH | FTW_PHYS);
}

}  // namespace shadow::cli
