// SPDX-License-Identifier: MIT
#include "bases/capture/existence.hpp"

#include "base/text.hpp"
#include "bases/capture/base_text.hpp"
#include "bases/capture/capture.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

#include <string_view>
#include <vector>

#include <fcntl.h>

namespace shadow::bases {

Existence::Existence(const session::ReviewSession& session, std::int64_t base_time_ns)
    : session_{session}, base_time_ns_{base_time_ns} {
}

bool Existence::was_there(const std::string& path) {
  if (!names_have_gone(path)) {
    return false;
  }
  if (tree() != nullptr && tree()->mode_of_directory(path)) {
    return true;
  }
  const TreeAnswer answer = tree() == nullptr ? TreeAnswer::Unknown : tree()->answer_for(path);
  // If the tree cannot tell, only a copied-up file is certain to have existed: names come and go in
  // the first moments of a session, and a new file must not be taken for a deleted one.
  return answer == TreeAnswer::Existed || was_copied_from_there(path);
}

bool Existence::is_new_directory(const std::string& path) {
  return tree() != nullptr && !tree()->mode_of_directory(path) &&
         tree()->answer_for(path) == TreeAnswer::Absent;
}

// A directory that was copied up was there, since overlayfs moves none of the real ones. One that
// the session made is opaque where it had deleted what was there; any other came after that had
// gone.
std::optional<Base> Existence::base_of_gone_directory(const Change& change) {
  if (!change.copied_up && !names_have_gone(change.path)) {
    return std::nullopt;
  }
  const auto mode = tree() == nullptr ? std::nullopt : tree()->mode_of_directory(change.path);
  if (!change.copied_up &&
      !(mode && overlay::is_opaque_directory(session_.upper.get(), change.path))) {
    return std::nullopt;
  }
  return directory_of_mode(mode.value_or(change.after.mode));
}

// The directory's change time moves with every name in it; of one that is gone, the one above has.
// In a deep tree of the session's that is the same for each directory of the way, and looked up
// once.
bool Existence::names_have_gone(const std::string& path) {
  if (!missing_.empty() && is_at_or_below(path, missing_)) {
    return gone_around_;
  }
  std::string_view missing;
  for (std::string_view above = path; !above.empty();) {
    above = sys::split_path(above).parent;
    const Entry directory = above.empty() ? overlay::look_fd(session_.lower.get())
                                          : overlay::look_beneath(session_.lower.get(), above);
    if (directory.exists()) {
      const bool gone =
          directory.kind != EntryKind::Directory || directory.ctime_ns > base_time_ns_;
      if (!missing.empty()) {
        missing_ = missing;
        gone_around_ = gone;
      }
      return gone;
    }
    missing = above;
  }
  return true;
}

// A file that was moved or linked carries its mark to the new name: the one that it comes from is
// then in the project still, under a name that the session has deleted or linked. In a user
// namespace the mark does not say which one that is, so that nothing is certain while the session
// has deleted or replaced something that no new file is known to have been.
bool Existence::was_copied_from_there(const std::string& path) {
  const sys::Fd entry = sys::try_open_beneath(session_.upper.get(), path, O_PATH);
  if (!entry || !overlay::has_origin(entry.get())) {
    return false;
  }
  const Entry facts = overlay::look_fd(entry.get());
  if (!moves_) {
    moves_ = find_own_moves(session_);
  }
  return facts.size > 0 && !moves_->may_be_more && moves_->old_names.count(path) == 0 &&
         moves_->links.count(facts.ino) == 0;
}

void Existence::fetch_texts(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  std::vector<git::WantedBlob> wanted;
  for (const std::string& path : paths) {
    const TreeEntry* entry = tree() == nullptr ? nullptr : tree()->find(path);
    if (entry != nullptr && !entry->git_id.empty() &&
        entry->entry.size <= BaseCapture::kMostBytesOfAFile) {
      found.push_back(path);
      wanted.push_back({entry->git_id, entry->entry.size});
    }
  }
  const std::vector<std::string> names = keep_objects(session_, wanted);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!names[i].empty()) {
      fetched_[found[i]] = names[i];
    }
  }
}

std::optional<Base> Existence::base_by_tree(const std::string& path, const Entry& real) {
  if (tree() == nullptr) {
    return std::nullopt;
  }
  if (real.kind == EntryKind::Directory) {
    return base_of_directory(*tree(), path, real);
  }
  if (const TreeEntry* known = tree()->find(path)) {
    const Base base = base_of_tree(*known);
    const auto text = fetched_.find(path);
    return text == fetched_.end() ? base : base.with(BaseContent::stored(text->second));
  }
  return base_without_file(*tree(), path);
}

const BaseTree* Existence::tree() {
  if (!tree_read_) {
    tree_ = read_base_tree(session_.dir.fd());
    tree_read_ = true;
  }
  return tree_ ? &*tree_ : nullptr;
}

}  // namespace shadow::bases
