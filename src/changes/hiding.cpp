// SPDX-License-Identifier: MIT
#include "changes/hiding.hpp"

#include "bases/capture/moved_in.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/shown_versions.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace shadow::changes {

bool Hiding::came_after(const std::string& path, const Entry& real) const {
  const auto one = entries_.look(path);
  if (one.path != path && overlay::is_whiteout(one.entry)) {
    return !stays_hidden_(path);
  }
  if (one.path == path || one.entry.kind != EntryKind::Directory) {
    return false;
  }
  // Opaque itself, or in one that is.
  for (std::string_view at = one.path; !at.empty(); at = sys::split_path(at).parent) {
    const std::string directory{at};
    const std::int64_t since_ns = overlay::look_beneath(session_.upper.get(), directory).btime_ns;
    if (since_ns != 0 && bases::was_made_after(real, since_ns) &&
        overlay::is_opaque_directory(session_.upper.get(), directory)) {
      return true;
    }
  }
  return false;
}

bool Hiding::is_new_directory(const Change& change, bases::Existence& existence) const {
  return !change.after.exists() && change.before.kind == EntryKind::Directory &&
         came_after(change.path, change.before) && existence.is_new_directory(change.path);
}

// Asked of each file in a directory that was deleted; each directory is looked at once.
bool Hiding::may_have_moved_in(const std::string& path) const {
  std::vector<std::string_view> unknown;
  std::string_view at = sys::split_path(path).parent;
  while (!at.empty() && places_.find(at) == places_.end()) {
    unknown.push_back(at);
    at = sys::split_path(at).parent;
  }
  Place place = at.empty() ? Place{} : places_.find(at)->second;
  std::for_each(unknown.rbegin(), unknown.rend(), [&](std::string_view one) {
    const std::string directory{one};
    place.hidden_ns =
        std::min(place.hidden_ns, bases::hides_since(*session_.db, session_.row.id, directory));
    place.may_have_come = place.may_have_come ||
                          (place.hidden_ns != INT64_MAX &&
                           bases::may_have_come(session_.lower.get(), directory, place.hidden_ns));
    places_.emplace(directory, place);
  });
  return place.may_have_come;
}

bool Hiding::found_no_directory(const std::string& deleted) const {
  const auto is_no_directory = [](const Base& base) {
    return base.entry().kind == EntryKind::File || base.entry().kind == EntryKind::Symlink;
  };
  const auto base = store::find_base(*session_.db, session_.row.id, deleted);
  // Of one that is not known it is what the project had when the deletion was first looked at.
  if (base) {
    return is_no_directory(*base);
  }
  // No review has looked since: what a live view had shown there.
  const auto shown = store::shown_versions(*session_.db, session_.row.id, deleted);
  return std::any_of(shown.begin(), shown.end(), [&](const store::ShownVersion& version) {
    return is_no_directory(version.base);
  });
}

// Asked of each file in a directory that was deleted, which may have very many.
bool Hiding::was_no_directory(const std::string& path) const {
  const auto& one = entries_.above(sys::split_path(path).parent);
  if (!overlay::is_whiteout(one.entry)) {
    return false;
  }
  const auto known = no_directory_.find(one.path);
  return known != no_directory_.end()
             ? known->second
             : no_directory_.emplace(one.path, found_no_directory(one.path)).first->second;
}

}  // namespace shadow::changes
