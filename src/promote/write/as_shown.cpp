// SPDX-License-Identifier: MIT
#include "promote/write/as_shown.hpp"

#include "overlay/read/arrival.hpp"
#include "sys/files/beneath.hpp"

#include <fcntl.h>

namespace shadow::promote {
namespace {

// The digest of the project's own file; nullopt when it is none that can be read.
std::optional<Digest> digest_of_real(int root, const std::string& path) {
  const sys::Fd file = sys::try_open_beneath(root, path, O_RDONLY | O_NONBLOCK);
  return file ? shown_digest(file.get()) : std::nullopt;
}

bool was_shown(const Step& step, const std::optional<Digest>& content, const Xattrs& attributes) {
  return step.shown == as_bytes(overlay::arrival(step.after, content, attributes));
}

}  // namespace

std::optional<Digest> shown_digest(int fd) {
  constexpr std::uint64_t kMostShown = std::uint64_t{1} << 30U;
  return overlay::digest_file(fd, kMostShown);
}

bool is_as_shown(const Step& step, int root, const Xattrs& attributes,
                 const std::function<std::optional<Digest>()>& content) {
  if (step.shown.empty() || (!step.made_of.empty() && step.made_of == step.shown)) {
    return true;
  }
  if (step.after.kind != EntryKind::File) {
    return was_shown(step, std::nullopt, attributes);
  }
  // Where only attributes change no content is shown, whether or not the file is written anew: then
  // it is to be the one that the project has.
  if (step.action == Action::SetAttributes) {
    return was_shown(step, std::nullopt, attributes) ||
           was_shown(step, digest_of_real(root, step.path), attributes);
  }
  const std::optional<Digest> made = content();
  return made && (was_shown(step, made, attributes) || (was_shown(step, std::nullopt, attributes) &&
                                                        made == digest_of_real(root, step.path)));
}

}  // namespace shadow::promote
