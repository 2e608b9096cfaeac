// SPDX-License-Identifier: MIT
#include "changes/moves/same_texts.hpp"

#include "bases/tree/base_tree.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>

namespace shadow::changes {
namespace {

std::optional<std::string> text_before(const PatchFile& file) {
  const Content& content = file.before_content;
  if (content.bytes) {
    return content.bytes;
  }
  const sys::Fd fd = sys::try_open_beneath(content.root, content.path, O_RDONLY | O_NONBLOCK);
  return fd ? std::optional{sys::read_all(fd.get(), file.before.size)} : std::nullopt;
}

bool have_one_text(const PatchFile& one, const PatchFile& other) {
  return one.before.size == other.before.size && text_before(one) == text_before(other);
}

bool is_as_it_was(const Entry& before, const Entry& now) {
  return before.size == now.size && before.mtime_ns == now.mtime_ns;
}

bool have_one_text(const bases::TreeEntry& one, const bases::TreeEntry& other) {
  return (!one.git_id.empty() && one.git_id == other.git_id) ||
         (!one.blob.empty() && one.blob == other.blob);
}

// The project's file shows through: the session has neither moved nor deleted it.
bool shows_through(const session::ReviewSession& session, const std::string& path) {
  return overlay::look_beneath(session.lower.get(), path).kind == EntryKind::File &&
         !overlay::look_beneath(session.upper.get(), path).exists();
}

bool has_twin(const session::ReviewSession& session, const bases::BaseTree* tree,
              const std::string& path) {
  const bases::TreeEntry* own = tree != nullptr ? tree->find(path) : nullptr;
  return own != nullptr && std::any_of(tree->entries.begin(), tree->entries.end(),
                                       [&](const bases::TreeEntry& other) {
                                         return &other != own && have_one_text(*own, other) &&
                                                shows_through(session, other.path);
                                       });
}

}  // namespace

bool may_be_another(const session::ReviewSession& session, KnownPaths& known,
                    const std::vector<PatchFile>& sources, const review::Rename& rename,
                    const Base& base, const ReviewItem& to) {
  constexpr unsigned kExact = 100;
  const PatchFile& from = sources[rename.from];
  const Entry& now = to.change.after;
  const std::string_view name = sys::split_path(to.change.path).name;
  const bool as_it_was = is_as_it_was(base.entry(), now);
  const bool same_name = sys::split_path(from.path).name == name;
  for (const PatchFile& other : sources) {
    const bool other_as_it_was = is_as_it_was(other.before, now);
    const bool told_apart = as_it_was == other_as_it_was
                                ? same_name && sys::split_path(other.path).name != name
                                : as_it_was;
    if (&other != &from && !told_apart && have_one_text(from, other)) {
      return true;
    }
  }
  return rename.similarity == kExact && !as_it_was && !to.change.copied_up &&
         has_twin(session, known.tree(), from.path);
}

}  // namespace shadow::changes
