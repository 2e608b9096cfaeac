// SPDX-License-Identifier: MIT
#include "store/contents/blobs.hpp"

#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/holes.hpp"
#include "sys/files/same_content.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::store {
namespace {

constexpr std::size_t kBuffer = 1U << 16U;
constexpr std::size_t kHexDigits = 32;
constexpr std::string_view kTemporary = "new-";

using Buffer = std::array<char, kBuffer>;

std::string_view piece_at(int fd, Buffer& buffer, off_t offset) {
  return {buffer.data(), sys::read_at(fd, buffer.data(), buffer.size(), offset)};
}

void add_number(Hasher& hasher, off_t number) {
  constexpr unsigned kBits = 8;
  std::array<char, sizeof(std::uint64_t)> bytes{};
  auto rest = static_cast<std::uint64_t>(number);
  for (char& byte : bytes) {
    byte = static_cast<char>(rest & 0xFFU);
    rest >>= kBits;
  }
  hasher.update({bytes.data(), bytes.size()});
}

bool is_zero(std::string_view piece) {
  static constexpr Buffer kZeros{};
  return piece == std::string_view{kZeros.data(), piece.size()};
}

Hash128 hash_plain(int fd) {
  Hasher hasher;
  Buffer buffer{};
  for (off_t at = 0;;) {
    const std::string_view piece = piece_at(fd, buffer, at);
    if (piece.empty()) {
      return hasher.digest();
    }
    hasher.update(piece);
    if (piece.size() < buffer.size()) {
      return hasher.digest();  // saves a call for each of many small files
    }
    at += static_cast<off_t>(piece.size());
  }
}

// Hashes each aligned block that is not all zeros, after the number of zeros before it; then the
// number of zeros at the end, and the size. Holes and written zeros give the same hash.
Hash128 hash_large(int fd, off_t size) {
  constexpr auto kBlock = static_cast<off_t>(kBuffer);
  Hasher hasher;
  Buffer buffer{};
  sys::HoleFinder holes{fd};
  off_t zeros = 0;
  for (off_t at = 0; at < size;) {
    const off_t hole = holes.length_at(at);
    const off_t passed = at + hole >= size ? size - at : hole - hole % kBlock;
    if (passed > 0) {
      zeros += passed;
      at += passed;
      continue;
    }
    const std::string_view piece = piece_at(fd, buffer, at);
    if (piece.empty()) {
      break;  // it became shorter
    }
    if (is_zero(piece)) {
      zeros += static_cast<off_t>(piece.size());
    } else {
      add_number(hasher, zeros);
      hasher.update(piece);
      zeros = 0;
    }
    at += static_cast<off_t>(piece.size());
  }
  add_number(hasher, zeros);
  add_number(hasher, size);
  return hasher.digest();
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
  constexpr off_t kLarge = off_t{256} << 20U;
  const off_t size = sys::size_of(fd);
  return size > kLarge ? hash_large(fd, size) : hash_plain(fd);
}

Blobs::Blobs(const std::string& state_path) {
  const std::string path = state_path + "/blobs";
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw_errno("make directory " + quoted(path));
  }
  dir_ = sys::open_path(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

std::string Blobs::new_temporary() {
  return std::string{kTemporary} + sys::own_process_tag() + '-' + std::to_string(++counter_);
}

// The directory of a hash; another process may make it at the same time.
void Blobs::make_shelf(const std::string& hex) const {
  if (::mkdirat(dir_.get(), hex.substr(0, 2).c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw_errno("make directory 'blobs/" + hex.substr(0, 2) + "'");
  }
}

std::string Blobs::settle(int dirfd, const std::string& from, Hash128 hash) {
  const std::string hex = to_hex(hash);
  int collision = 0;
  for (bool shelf_made = false;;) {
    std::string name = collision == 0 ? hex : hex + '-' + std::to_string(collision);
    if (::renameat2(dirfd, from.c_str(), dir_.get(), place(name).c_str(), RENAME_NOREPLACE) == 0) {
      return name;
    }
    if (errno == ENOENT && !shelf_made) {
      make_shelf(hex);
      shelf_made = true;
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
    if (sys::same_content(there.get(), here.get())) {
      if (::unlinkat(dirfd, from.c_str(), 0) != 0) {
        throw_errno("remove " + quoted(from));
      }
      return name;
    }
    ++collision;
  }
}

std::string Blobs::put(int fd) {
  (void)sys::size_of(fd);  // throws where it is no regular file
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
  if (st.st_dev == own.st_dev && st.st_nlink == 1 && st.st_uid == ::geteuid()) {
    Taken taken{settle(dirfd, name, hash), true};
    // Not before: whoever dies in between must not have changed a file that is still in its place.
    ::fchmod(file.get(), S_IRUSR | S_IWUSR);
    return taken;
  }
  return {put(file.get()), false};
}

sys::Fd Blobs::open(const std::string& name) const {
  if (!is_blob_name(name)) {
    return {};
  }
  sys::Fd fd = sys::try_open_at(dir_.get(), place(name), O_RDONLY | O_NOFOLLOW);
  if (!fd && !sys::is_missing(errno)) {
    throw_errno("read content " + name);
  }
  return fd;
}

bool Blobs::has(const std::string& name) const {
  if (!is_blob_name(name)) {
    return false;
  }
  const bool there = ::faccessat(dir_.get(), place(name).c_str(), F_OK, 0) == 0;
  if (!there && !sys::is_missing(errno)) {
    throw_errno("look for content " + name);
  }
  return there;
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
    if (!sys::is_of_live_process(entry.name.substr(kTemporary.size()))) {
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
