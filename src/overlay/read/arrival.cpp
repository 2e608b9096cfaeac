// SPDX-License-Identifier: MIT
#include "overlay/read/arrival.hpp"

#include "sys/files/file.hpp"

#include <memory>
#include <string>
#include <string_view>

#include <unistd.h>

namespace shadow::overlay {

namespace {

constexpr std::string_view kEnd{"\0", 1};

// Each text with its length, so that no two sets of attributes are written alike.
void add_attributes(Digester& digester, const shadow::Xattrs& attributes) {
  for (const auto& [name, value] : attributes) {
    for (const std::string& text : {name, value}) {
      digester.update(std::to_string(text.size()));
      digester.update(kEnd);
      digester.update(text);
    }
  }
}

}  // namespace

Digest arrival(const Entry& entry, const std::optional<Digest>& content,
               const shadow::Xattrs& attributes) {
  constexpr std::uint32_t kArriving = 01777;
  Digester digester;
  digester.update(to_word(entry.kind));
  digester.update(kEnd);
  if (entry.kind == EntryKind::Symlink) {
    digester.update(entry.target.str());
  } else if (entry.exists()) {
    digester.update(std::to_string(entry.mode & kArriving));
    digester.update(kEnd);
    digester.update(content ? as_bytes(*content) : std::string_view{});
    add_attributes(digester, attributes);
  }
  return digester.finish();
}

Digest arrival(const Entry& entry, std::string_view bytes, const shadow::Xattrs& attributes) {
  return arrival(entry, std::optional{digest_bytes(bytes)}, attributes);
}

std::optional<Digest> digest_file(int fd, std::uint64_t limit) {
  constexpr std::size_t kPiece = std::size_t{64} << 10U;
  const auto piece = std::make_unique_for_overwrite<char[]>(kPiece);
  Digester digester;
  for (std::uint64_t at = 0; at <= limit;) {
    const std::size_t got = sys::read_at(fd, piece.get(), kPiece, static_cast<off_t>(at));
    digester.update({piece.get(), got});
    at += got;
    if (got < kPiece && at <= limit) {
      return digester.finish();
    }
  }
  return std::nullopt;
}

}  // namespace shadow::overlay
