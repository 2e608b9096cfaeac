// SPDX-License-Identifier: MIT
#include "sensitive/leads/project_links.hpp"

#include "base/tool_files.hpp"
#include "git/index/git_files.hpp"
#include "git/index/git_index.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>

namespace shadow::sensitive {

namespace {

// To list one takes 10 microseconds.
constexpr std::size_t kMostDirectories = 2000;
constexpr std::size_t kMostForShifts = 20'000;

bool may_lead_to_sensitive(const std::string& folded) {
  return find_sensitive_name(folded) != nullptr || find_sensitive_below(folded) != nullptr;
}

class LinkSearch {
 public:
  // `near` is sorted, and borrowed.
  LinkSearch(const ProjectTree& tree, const std::vector<std::string>& near, std::size_t most)
      : tree_{tree}, near_{near}, most_{most} {}

  // Those that a session changed something in never take the place of others.
  ProjectFinds find() {
    list({});
    for (const std::string& directory : near_) {
      list(directory);
    }
    for (std::size_t listed = 0; listed < most_ && !next_.empty(); ++listed) {
      const std::string directory = std::move(next_.front());
      next_.pop_front();
      list(directory);
    }
    finds_.all = finds_.all && next_.empty();
    if (!tree_.index.empty()) {
      std::vector<std::string> tracked = git::links_in_index(tree_.index);
      std::move(tracked.begin(), tracked.end(), std::back_inserter(finds_.links));
    }
    std::sort(finds_.links.begin(), finds_.links.end());
    finds_.links.erase(std::unique(finds_.links.begin(), finds_.links.end()), finds_.links.end());
    // Of as many files as a large project has, not all are read: first those by a name of the
    // user's own making.
    std::vector<LeadingFile> others = std::exchange(finds_.leading, {});
    for (const std::string& link : finds_.links) {
      add_leading_by(link);
    }
    std::move(others.begin(), others.end(), std::back_inserter(finds_.leading));
    // A session can make any number of those that are obeyed in part, and nobody asks about them.
    std::stable_partition(finds_.leading.begin(), finds_.leading.end(),
                          [](const LeadingFile& file) {
                            return !is_tool_file(folded_name(sys::split_path(file.path).name));
                          });
    return std::move(finds_);
  }

 private:
  void list(const std::string& directory) {
    for (const sys::DirEntry& entry : entries_of(directory)) {
      std::string path = sys::join_path(directory, entry.name);
      if (entry.type == DT_LNK || entry.type == DT_UNKNOWN) {
        finds_.links.push_back(path);
      }
      if (entry.name == ".git" && !directory.empty()) {
        finds_.repositories.push_back(directory);
      }
      if (entry.type == DT_REG &&
          find_leading_name(folded_name(sys::join_path(tree_.above, path))) != nullptr) {
        finds_.leading.push_back({path});
      }
      if ((entry.type == DT_DIR || entry.type == DT_UNKNOWN) && entry.name != ".git" &&
          !std::binary_search(near_.begin(), near_.end(), path)) {
        put_off(std::move(path));
      }
    }
  }

  [[nodiscard]] std::vector<sys::DirEntry> entries_of(const std::string& directory) const {
    const sys::Fd fd = sys::try_open_beneath(tree_.lower, directory, O_RDONLY | O_DIRECTORY);
    return fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{};
  }

  // Names on the list come first. No more are kept than are examined.
  void put_off(std::string directory) {
    if (may_lead_to_sensitive(folded_name(directory))) {
      next_.push_front(std::move(directory));
    } else {
      next_.push_back(std::move(directory));
    }
    if (next_.size() > most_) {
      next_.pop_back();
      finds_.all = false;
    }
  }

  // A link may have such a name, or lead to a directory that has such files by the link's name.
  void add_leading_by(const std::string& link) {
    const std::string folded = folded_name(sys::join_path(tree_.above, link));
    if (find_leading_name(folded) != nullptr) {
      finds_.leading.push_back({link});
    }
    if (may_lead_to_sensitive(folded)) {
      const LinkWalk walk = walk_link_back("", link, tree_.root, tree_.look);
      if (walk.links.empty() || !walk.inside() || walk.end.empty() ||
          tree_.look(walk.end).kind != EntryKind::Directory) {
        return;
      }
      for (const sys::DirEntry& entry : entries_of(walk.end)) {
        const std::string name = sys::join_path(link, entry.name);
        if (find_leading_name(folded_name(name)) != nullptr) {
          finds_.leading.push_back({sys::join_path(walk.end, entry.name), name});
        }
      }
    }
  }

  const ProjectTree& tree_;
  const std::vector<std::string>& near_;
  const std::size_t most_;
  std::deque<std::string> next_;
  ProjectFinds finds_;
};

}  // namespace

ProjectFinds links_of_project(const ProjectTree& tree, const std::vector<std::string>& near,
                              SearchFor what) {
  return LinkSearch{tree, near, what == SearchFor::Shifts ? kMostForShifts : kMostDirectories}
      .find();
}

}  // namespace shadow::sensitive
