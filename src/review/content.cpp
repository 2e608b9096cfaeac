// SPDX-License-Identifier: MIT
#include "review/content.hpp"

#include "shadow/error.hpp"

#include "base/amounts.hpp"
#include "base/text.hpp"
#include "git/objects/tree_entry.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/files/quiet_open.hpp"
#include "sys/files/same_content.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <unistd.h>

namespace shadow::review {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;

[[noreturn]] void throw_stale(const FileVersion& side) {
  throw StaleError{"cannot read " + quoted(*side.path) + ": it changed meanwhile",
                   "try again, or wait until the commands that write it have ended"};
}

// The mode that is shown may be the other side's, where the two go together. Whoever changes the
// file's own changes its time as well.
Entry with_own_mode(const FileVersion& side, const Entry& now) {
  Entry reviewed = *side.entry;
  reviewed.mode = now.mode;
  return reviewed;
}

// Without an inode number the entry describes another file than the one with the bytes (a kept
// base, say), and only the size can be compared.
void require_unchanged(const FileVersion& side, int fd) {
  const Entry now = overlay::look_fd(fd);
  const bool same = side.entry->ino != 0
                        ? same_state(now, with_own_mode(side, now))
                        : now.kind == EntryKind::File && now.size == side.entry->size;
  if (!same) {
    throw_stale(side);
  }
}

// A reader over one side, for contents that lie in memory and for files alike.
class Stream {
 public:
  explicit Stream(const FileVersion& side) : side_{side} {
    if (side.entry->kind == EntryKind::Symlink) {
      memory_ = side.entry->target.str();
    } else if (side.content->bytes) {
      memory_ = *side.content->bytes;
    } else if (side.content->fd >= 0) {
      fd_ = sys::open_path(sys::proc_path(side.content->fd), O_RDONLY);
      require_unchanged(side, fd_.get());
    } else {
      // O_NONBLOCK: whoever put a FIFO here must not stop us in open(2).
      fd_ = sys::try_open_quietly(side.content->root, side.content->path, O_RDONLY | O_NONBLOCK);
      if (!fd_ && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) {
        throw_stale(side);
      }
      if (!fd_) {
        throw_errno("open " + quoted(*side.path));
      }
      require_unchanged(side, fd_.get());
    }
  }

  // The number of bytes read; less than asked for at the end only.
  std::size_t read(char* into, std::size_t size) {
    if (fd_) {
      const std::size_t count = sys::read_at(fd_.get(), into, size, at_);
      at_ += static_cast<off_t>(count);
      return count;
    }
    const std::size_t count = memory_.copy(into, size);
    memory_.remove_prefix(count);
    return count;
  }

  // -1 when the bytes lie in memory.
  [[nodiscard]] int fd() const { return fd_ ? fd_.get() : -1; }

  // To be called after the last read.
  void finish() const {
    if (fd_) {
      require_unchanged(side_, fd_.get());
    }
  }

 private:
  const FileVersion side_;
  sys::Fd fd_;
  off_t at_ = 0;
  std::string_view memory_;
};

}  // namespace

FileVersion before_of(const PatchFile& file) {
  return {&file.before, &file.before_content, &file.path};
}

FileVersion after_of(const PatchFile& file) {
  return {&file.after, &file.after_content, &file.path};
}

std::uint32_t git_mode(const Entry& entry) {
  switch (entry.kind) {
    case EntryKind::File:
      return (entry.mode & 0100U) != 0 ? git::kExecutableMode : git::kFileMode;
    case EntryKind::Symlink:
      return git::kLinkMode;
    case EntryKind::Absent:
    case EntryKind::Directory:
    case EntryKind::Fifo:
    case EntryKind::Socket:
    case EntryKind::Device:
      break;
  }
  return 0;
}

std::uint64_t content_size(const FileVersion& side) {
  if (side.entry->kind == EntryKind::Symlink) {
    return side.entry->target.str().size();
  }
  return side.content->bytes ? side.content->bytes->size() : side.entry->size;
}

std::string read_content(const FileVersion& side, std::uint64_t limit) {
  const std::uint64_t size = content_size(side);
  if (size > limit) {
    throw Error{"cannot read " + quoted(*side.path) + ": it is larger than " + human_size(limit)};
  }
  Stream stream{side};
  if (stream.fd() >= 0 && side.entry->ino != 0) {
    const Entry now = overlay::look_fd(stream.fd());
    auto bytes = overlay::read_stable(stream.fd(), with_own_mode(side, now), limit);
    if (!bytes) {
      throw_stale(side);
    }
    return *std::move(bytes);
  }
  // One byte more than there should be: a file that grew is then noticed.
  std::string bytes(static_cast<std::size_t>(size) + 1, '\0');
  if (stream.read(bytes.data(), bytes.size()) != size) {
    throw_stale(side);
  }
  stream.finish();
  bytes.pop_back();
  return bytes;
}

bool starts_binary(const FileVersion& side) {
  constexpr std::size_t kFirst = 8000;
  std::array<char, kFirst> first{};
  Stream stream{side};
  const std::size_t count = stream.read(first.data(), first.size());
  return std::memchr(first.data(), 0, count) != nullptr;
}

Hash128 hash_content(const FileVersion& side) {
  Stream stream{side};
  if (stream.fd() >= 0) {
    const Hash128 hash = store::hash_file(stream.fd());
    stream.finish();
    return hash;
  }
  Hasher hasher;
  std::string piece(kPiece, '\0');
  for (std::size_t count = kPiece; count == kPiece;) {
    count = stream.read(piece.data(), kPiece);
    hasher.update({piece.data(), count});
  }
  stream.finish();
  return hasher.digest();
}

bool same_content(const FileVersion& a, const FileVersion& b) {
  if (content_size(a) != content_size(b)) {
    return false;
  }
  Stream left{a};
  Stream right{b};
  if (left.fd() >= 0 && right.fd() >= 0) {
    const bool same = sys::same_content(left.fd(), right.fd());
    left.finish();
    right.finish();
    return same;
  }
  std::string left_piece(kPiece, '\0');
  std::string right_piece(kPiece, '\0');
  for (;;) {
    const std::size_t count = left.read(left_piece.data(), kPiece);
    if (right.read(right_piece.data(), kPiece) != count ||
        left_piece.compare(0, count, right_piece, 0, count) != 0) {
      return false;
    }
    if (count < kPiece) {
      left.finish();
      right.finish();
      return true;
    }
  }
}

}  // namespace shadow::review
