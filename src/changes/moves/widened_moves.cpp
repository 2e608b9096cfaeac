// SPDX-License-Identifier: MIT
#include "changes/moves/widened_moves.hpp"

#include "shadow/patch.hpp"

#include "changes/moves/move_sides.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "review/renames.hpp"
#include "sys/files/beneath.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::changes {

namespace {

constexpr std::uint32_t kOthers = S_IRWXG | S_IRWXO;

// What the modes of the directories on the way leave to others than the owner.
class Ways {
 public:
  explicit Ways(std::function<Entry(const std::string& path)> look) : look_{std::move(look)} {}

  [[nodiscard]] std::uint32_t rights_at(const std::string& path, std::uint32_t mode) {
    return mode & way_to(std::string{sys::split_path(path).parent});
  }

  // The mode of the outermost directory above that lets not all of these rights through.
  [[nodiscard]] std::uint32_t mode_that_closes(const std::string& path, std::uint32_t rights) {
    std::string closed;
    for (std::string above{sys::split_path(path).parent}; !above.empty();
         above = sys::split_path(above).parent) {
      closed = (rights & ~way_to(above)) != 0 ? above : closed;
    }
    return look_(closed).mode;
  }

 private:
  std::uint32_t way_to(const std::string& directory) {
    if (directory.empty()) {
      return kOthers;
    }
    if (const auto known = known_.find(directory); known != known_.end()) {
      return known->second;
    }
    const std::uint32_t mode = look_(directory).mode;
    const std::uint32_t let =
        ((mode & S_IXGRP) != 0 ? S_IRWXG : 0U) | ((mode & S_IXOTH) != 0 ? S_IRWXO : 0U);
    const std::uint32_t way = let & way_to(std::string{sys::split_path(directory).parent});
    known_.emplace(directory, way);
    return way;
  }

  std::function<Entry(const std::string& path)> look_;
  std::map<std::string, std::uint32_t> known_;
};

// Files that others than the owner cannot read, and that are gone from their places.
bool was_closed(const ReviewItem& item, Ways& before, std::uint32_t usual) {
  const Change& change = item.change;
  return change.kind == ChangeKind::Deleted && change.before.kind == EntryKind::File &&
         item.standing != Standing::GitDir &&
         (usual & ~before.rights_at(change.path, change.before.mode)) != 0;
}

bool is_open(const ReviewItem& item, Ways& after) {
  const Change& change = item.change;
  return change.kind == ChangeKind::Added && change.after.kind == EntryKind::File &&
         item.standing != Standing::GitDir && after.rights_at(change.path, change.after.mode) != 0;
}

}  // namespace

void note_widened_moves(const session::ReviewSession& session, std::vector<ReviewItem>& items) {
  Ways before{[lower = session.lower.get()](const std::string& path) {
    return overlay::look_beneath(lower, path);
  }};
  const std::uint32_t usual = (S_IRGRP | S_IROTH) & ~sys::own_umask();
  std::vector<PatchFile> files;
  std::vector<ReviewItem*> owners;
  for (ReviewItem& item : items) {
    if (was_closed(item, before, usual) && is_readable(session.lower.get(), item.change.path)) {
      PatchFile& file = files.emplace_back();
      file.path = item.change.path;
      file.before = item.change.before;
      file.before_content = {session.lower.get(), item.change.path, {}};
      owners.push_back(&item);
    }
  }
  if (files.empty()) {
    return;
  }
  const overlay::View view{session.upper.get(), session.lower.get()};
  Ways after{[view](const std::string& path) { return view.look(path); }};
  for (ReviewItem& item : items) {
    if (is_open(item, after) && is_readable(session.upper.get(), item.change.path)) {
      files.push_back(added_side(session, item.change));
      owners.push_back(&item);
    }
  }
  for (const review::Rename& rename : review::find_renames(files, {})) {
    const Change& from = owners[rename.from]->change;
    const Change& to = owners[rename.to]->change;
    const std::uint32_t gained = after.rights_at(to.path, to.after.mode) &
                                 ~before.rights_at(from.path, from.before.mode) & kOthers;
    if ((gained & ~from.before.mode) != 0) {
      owners[rename.to]->widened =
          fmt::format("mode {:o} became {:o}", from.before.mode, to.after.mode);
    } else if (gained != 0) {
      owners[rename.to]->widened = fmt::format("moved out of a directory of mode {:o}",
                                               before.mode_that_closes(from.path, gained));
    }
  }
}

}  // namespace shadow::changes
