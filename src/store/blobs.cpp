// SPDX-License-Identifier: MIT
#include "store/blobs.hpp"

#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "base/text.hpp"
#include "sys/dir.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::store {
namespace {

constexpr std::size_t kBuffer = 1U << 16U;
constexpr std::size_t kHexDigits = 32;
constexpr std::string_view kTemporary = "new-";

// Fills the buffer as far as the file goes.
std::string_view read_at(int fd, std::array<char, kBuffer>& buffer, off_t offset) {
  for (;;) {
    const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), offset);
    if (got >= 0) {
      return {buffer.data(), static_cast<std::size_t>(got)};
    }
    if (errno != EINTR) {
      throw_errno("read a file");
    }
  }
}

bool same_bytes(int a, int b) {
  struct stat first {};
  struct stat second {};
  if (::fstat(a, &first) != 0 || ::fstat(b, &second) != 0) {
    throw_errno("look at a file");
  }
  if (first.st_size != second.st_size) {
    return false;
  }
  std::array<char, kBuffer> left{};
  std::array<char, kBuffer> right{};
  for (off_t at = 0; at < first.st_size;) {
    const std::string_view from_left = read_at(a, left, at);
    if (from_left.empty() || from_left != read_at(b, right, at)) {
      return false;
    }
    at += static_cast<off_t>(from_left.size());
  }
  return true;
}

// Tells the holes of a sparse file, which need not be read: a file may claim to be a TiB long.
class HoleFinder {
 public:
  explicit HoleFinder(int fd) : fd_{fd} {
    constexpr off_t kBlock = 512;  // of st_blocks (stat(3type))
    struct stat st {};
    if (::fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_blocks * kBlock < st.st_size) {
      size_ = st.st_size;
      position_ = ::lseek(fd, 0, SEEK_CUR);
    }
  }
  HoleFinder(const HoleFinder&) = delete;
  HoleFinder(HoleFinder&&) = delete;
  HoleFinder& operator=(const HoleFinder&) = delete;
  HoleFinder& operator=(HoleFinder&&) = delete;
  ~HoleFinder() {
    if (position_ >= 0) {
      ::lseek(fd_, position_, SEEK_SET);  // where the caller left it
    }
  }

  // How far the hole reaches that `at` lies in; 0 where it lies in none, or nobody can tell.
  off_t length_at(off_t at) {
    if (at < data_until_ || at >= size_) {
      return 0;
    }
    off_t data = ::lseek(fd_, at, SEEK_DATA);
    if (data < 0) {
      data = errno == ENXIO ? size_ : at;  // ENXIO: none follows
    }
    if (data > at) {
      return std::min(data, size_) - at;
    }
    const off_t hole = ::lseek(fd_, at, SEEK_HOLE);
    data_until_ = hole > at ? hole : size_;
    return 0;
  }

 private:
  int fd_;
  off_t size_ = 0;
  off_t position_ = -1;
  off_t data_until_ = 0;
};

void add_zeros(Hasher& hasher, off_t count) {
  static constexpr std::array<char, kBuffer> kZeros{};
  while (count > 0) {
    const auto piece = std::min<std::size_t>(kZeros.size(), static_cast<std::size_t>(count));
    hasher.update({kZeros.data(), piece});
    count -= static_cast<off_t>(piece);
  }
}

// A name that can only be one of ours: nothing read from the database may lead elsewhere.
bool is_blob_name(std::string_view name) {
  if (!hash_from_hex(name.substr(0, kHexDigits))) {
    return false;
  }
  const std::string_view suffix = name.substr(kHexDigits);
  return suffix.empty() || (suffix.size() > 1 && suffix[0] == '-' &&
                            suffix.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

std::string place(std::string_view name) {
  return std::string{name.substr(0, 2)} + '/' + std::string{name};
}

}  // namespace

Hash128 hash_file(int fd) {
  Hasher hasher;
  std::array<char, kBuffer> buffer{};
  HoleFinder holes{fd};
  off_t at = 0;
  for (;;) {
    if (const off_t hole = holes.length_at(at); hole > 0) {
      add_zeros(hasher, hole);
      at += hole;
      continue;
    }
    const std::string_view piece = read_at(fd, buffer, at);
    if (piece.empty()) {
      return hasher.digest();
    }
    hasher.update(piece);
    at += static_cast<off_t>(piece.size());
  }
}

Blobs::Blobs(const std::string& state_path) {
  const std::string path = state_path + "/blobs";
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw_errno("make directory " + quoted(path));
  }
  dir_ = sys::open_path(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

std::string Blobs::new_temporary() {
  return std::string{kTemporary} + std::to_string(::getpid()) + '-' +
         std::to_string(sys::start_time(::getpid()).value_or(0)) + '-' + std::to_string(++counter_);
}

// False when it is there.
bool Blobs::make_shelf(const std::string& hex) const {
  if (::mkdirat(dir_.get(), hex.substr(0, 2).c_str(), S_IRWXU) == 0) {
    return true;
  }
  if (errno == EEXIST) {
    errno = ENOENT;
    return false;
  }
  throw_errno("make directory 'blobs/" + hex.substr(0, 2) + "'");
}

std::string Blobs::settle(int dirfd, const std::string& from, Hash128 hash) {
  const std::string hex = to_hex(hash);
  int collision = 0;
  for (;;) {
    std::string name = collision == 0 ? hex : hex + '-' + std::to_string(collision);
    if (::renameat2(dirfd, from.c_str(), dir_.get(), place(name).c_str(), RENAME_NOREPLACE) == 0) {
      return name;
    }
    if (errno == ENOENT && make_shelf(hex)) {
      continue;
    }
    if (errno != EEXIST) {
      throw_errno("store content " + name);
    }
    const sys::Fd there = open(name);
    if (!there) {
      continue;  // removed in between: its name is free
    }
    const sys::Fd here = sys::open_at(dirfd, from, O_RDONLY | O_NOFOLLOW);
    if (same_bytes(there.get(), here.get())) {
      if (::unlinkat(dirfd, from.c_str(), 0) != 0) {
        throw_errno("remove " + quoted(from));
      }
      return name;
    }
    ++collision;
  }
}

std::string Blobs::put(int fd) {
  const std::string temporary = new_temporary();
  ScopeExit remove{[&] { ::unlinkat(dir_.get(), temporary.c_str(), 0); }};
  const sys::Fd copy = sys::open_at(dir_.get(), temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
                                    S_IRUSR | S_IWUSR);
  sys::copy_contents(fd, copy.get());
  // The copy is hashed, not the source, which may be written to meanwhile.
  std::string name = settle(dir_.get(), temporary, hash_file(copy.get()));
  remove.release();
  return name;
}

std::string Blobs::put_bytes(std::string_view bytes) {
  const std::string temporary = new_temporary();
  ScopeExit remove{[&] { ::unlinkat(dir_.get(), temporary.c_str(), 0); }};
  const sys::Fd copy = sys::open_at(dir_.get(), temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
                                    S_IRUSR | S_IWUSR);
  sys::write_all(copy.get(), bytes);
  std::string name = settle(dir_.get(), temporary, hash_bytes(bytes));
  remove.release();
  return name;
}

Blobs::Taken Blobs::take(int dirfd, const std::string& name, Hash128 hash) {
  const sys::Fd file = sys::open_at(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat st {};
  if (::fstat(file.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    throw Error{"cannot store " + quoted(name) + ": not a regular file"};
  }
  struct stat own {};
  if (::fstat(dir_.get(), &own) != 0) {
    throw_errno("look at 'blobs'");
  }
  // Another name of the same inode could still be written through.
  if (st.st_dev == own.st_dev && st.st_nlink == 1 && st.st_uid == ::geteuid() &&
      ::fchmod(file.get(), S_IRUSR | S_IWUSR) == 0) {
    return {settle(dirfd, name, hash), true};
  }
  return {put(file.get()), false};
}

sys::Fd Blobs::open(const std::string& name) const {
  if (!is_blob_name(name)) {
    return {};
  }
  return sys::try_open_at(dir_.get(), place(name), O_RDONLY | O_NOFOLLOW);
}

bool Blobs::has(const std::string& name) const {
  return is_blob_name(name) && ::faccessat(dir_.get(), place(name).c_str(), F_OK, 0) == 0;
}

void Blobs::remove(const std::string& name) {
  if (is_blob_name(name) && ::unlinkat(dir_.get(), place(name).c_str(), 0) != 0 &&
      errno != ENOENT) {
    throw_errno("remove content " + name);
  }
}

std::vector<std::string> Blobs::list() const {
  std::vector<std::string> names;
  for (const sys::DirEntry& shelf : sys::list_dir(dir_.get())) {
    if (shelf.name.size() != 2) {
      continue;
    }
    const sys::Fd dir = sys::open_at(dir_.get(), shelf.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    for (sys::DirEntry& entry : sys::list_dir(dir.get())) {
      if (is_blob_name(entry.name)) {
        names.push_back(std::move(entry.name));
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

void Blobs::remove_leftovers() {
  for (const sys::DirEntry& entry : sys::list_dir(dir_.get())) {
    const std::vector<std::string> parts = split(entry.name, '-');
    if (parts.size() != 4 || parts[0] + '-' != kTemporary) {
      continue;
    }
    pid_t pid = 0;
    std::uint64_t start = 0;
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), pid);
    std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), start);
    if (sys::start_time(pid) != start) {
      ::unlinkat(dir_.get(), entry.name.c_str(), 0);
    }
  }
}

void Blobs::sync() {
  if (::syncfs(dir_.get()) != 0) {
    throw_errno("sync 'blobs'");
  }
}

}  // namespace shadow::store
