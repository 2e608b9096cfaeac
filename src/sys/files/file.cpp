// SPDX-License-Identifier: MIT
#include "sys/files/file.hpp"

#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "base/text.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

constexpr std::size_t kBuffer = 1U << 16U;

// Copies one data segment by read and write, for pairs of filesystems that copy_file_range(2)
// refuses (EXDEV, EOPNOTSUPP, EINVAL).
void copy_by_hand(int from, int to, off_t at, off_t end) {
  std::array<char, kBuffer> buffer{};
  while (at < end) {
    const auto want = static_cast<std::size_t>(std::min<off_t>(end - at, kBuffer));
    const auto got = static_cast<ssize_t>(read_at(from, buffer.data(), want, at));
    if (got == 0) {
      return;
    }
    for (ssize_t done = 0; done < got;) {
      const ssize_t put =
          ::pwrite(to, buffer.data() + done, static_cast<std::size_t>(got - done), at + done);
      if (put < 0 && errno != EINTR) {
        throw_errno("write a file");
      }
      done += std::max<ssize_t>(put, 0);
    }
    at += got;
  }
}

void copy_segment(int from, int to, off_t at, off_t end) {
  off_t in = at;
  off_t out = at;
  while (in < end) {
    const ssize_t copied =
        ::copy_file_range(from, &in, to, &out, static_cast<std::size_t>(end - in), 0);
    if (copied == 0) {
      return;  // the file became shorter meanwhile
    }
    if (copied < 0 && errno == EINTR) {
      continue;
    }
    if (copied < 0) {
      if (errno == ENOSPC || errno == EDQUOT || errno == EIO) {
        throw_errno("write a file");
      }
      copy_by_hand(from, to, in, end);
      return;
    }
  }
}

// `size` is what the file is said to have; files of /proc have none.
std::string read_sized(int fd, off_t size, std::uint64_t limit) {
  // One byte more, to see the file's end with the first read.
  constexpr std::size_t kUnsized = 1024;
  std::size_t room = size > 0 ? static_cast<std::size_t>(std::min<std::uint64_t>(
                                    static_cast<std::uint64_t>(size), limit)) +
                                    1
                              : kUnsized;
  std::string bytes;
  std::size_t filled = 0;
  for (;;) {
    bytes.resize(filled + room);
    const ssize_t got = ::read(fd, bytes.data() + filled, room);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw_errno("read a file");
    }
    filled += static_cast<std::size_t>(got);
    if (got == 0) {
      bytes.resize(filled);
      return bytes;
    }
    if (filled > limit) {
      throw Error{"cannot read a file: it is too large"};
    }
    room -= static_cast<std::size_t>(got);
    if (room == 0) {
      room = std::min(kBuffer, std::max(filled, kUnsized));
    }
  }
}

}  // namespace

std::string read_all(int fd, std::uint64_t limit) {
  struct stat st {};
  return read_sized(fd, ::fstat(fd, &st) == 0 ? st.st_size : 0, limit);
}

std::string read_if_file(const std::string& path, std::uint64_t limit) {
  const Fd fd = try_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  struct stat st {};
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return {};
  }
  try {
    return read_all(fd.get(), limit);
  } catch (const Error&) {
    return {};
  }
}

std::optional<std::string> read_file_at(int dirfd, const std::string& name, std::uint64_t limit) {
  // O_NONBLOCK: a FIFO planted under this name must not stop us in open(2).
  const Fd fd = try_open_at(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return std::nullopt;
    }
    throw_errno("open " + quoted(name));
  }
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    throw Error{"cannot read " + quoted(name) + ": not a regular file"};
  }
  return read_sized(fd.get(), st.st_size, limit);
}

std::size_t read_at(int fd, char* into, std::size_t room, off_t offset) {
  std::size_t filled = 0;
  while (filled < room) {
    const ssize_t got =
        ::pread(fd, into + filled, room - filled, offset + static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw_errno("read a file");
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

off_t size_of(int fd) {
  struct stat st {};
  if (::fstat(fd, &st) != 0) {
    throw_errno("look at a file");
  }
  if (!S_ISREG(st.st_mode)) {
    throw StaleError{"cannot read a file: something else is in its place by now",
                     "look at the changes again"};
  }
  return st.st_size;
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      throw_errno(name.empty() ? "write a file" : "write " + quoted(name));
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void replace_file_at(int dirfd, const std::string& name, std::string_view bytes, mode_t mode) {
  const std::string temporary = name + ".new." + std::to_string(::getpid());
  ScopeExit remove{[&] { ::unlinkat(dirfd, temporary.c_str(), 0); }};
  {
    const Fd fd = open_at(dirfd, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode);
    write_all(fd.get(), bytes, name);
  }
  if (::renameat(dirfd, temporary.c_str(), dirfd, name.c_str()) != 0) {
    throw_errno("write " + quoted(name));
  }
  remove.release();
}

std::uint64_t copy_contents(int from, int to) {
  struct stat st {};
  if (::fstat(from, &st) != 0) {
    throw_errno("look at a file");
  }
  if (::ioctl(to, FICLONE, from) == 0) {
    return static_cast<std::uint64_t>(st.st_size);
  }
  constexpr off_t kBlock = 512;  // of st_blocks (stat(3type))
  if (st.st_blocks * kBlock >= st.st_size) {
    copy_segment(from, to, 0, st.st_size);  // without holes
    return static_cast<std::uint64_t>(st.st_size);
  }
  // The size first: it makes trailing holes.
  if (::ftruncate(to, st.st_size) != 0) {
    throw_errno("write a file");
  }
  off_t at = 0;
  while (at < st.st_size) {
    const off_t data = ::lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) {
      break;  // only a hole is left
    }
    const off_t begin = data < 0 ? at : data;
    const off_t hole = data < 0 ? -1 : ::lseek(from, begin, SEEK_HOLE);
    const off_t end = hole < 0 ? st.st_size : hole;
    copy_segment(from, to, begin, end);
    at = end;
  }
  return static_cast<std::uint64_t>(st.st_size);
}

std::string read_link_at(int dirfd, const std::string& name) {
  std::string target(256, '\0');
  for (;;) {
    const ssize_t length = ::readlinkat(dirfd, name.c_str(), target.data(), target.size());
    if (length < 0) {
      throw_errno("read link " + quoted(name));
    }
    if (static_cast<std::size_t>(length) < target.size()) {
      target.resize(static_cast<std::size_t>(length));
      return target;
    }
    target.resize(target.size() * 2);
  }
}

}  // namespace shadow::sys
