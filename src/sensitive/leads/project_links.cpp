// SPDX-License-Identifier: MIT
#include "sensitive/leads/project_links.hpp"

#include "git/index/git_index.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>

#include <dirent.h>
#include <fcntl.h>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostDirectories = 300;  // to list one takes 10 microseconds

class LinkSearch {
 public:
  // Both are borrowed; `near` is sorted.
  LinkSearch(const ProjectTree& tree, const std::vector<std::string>& near)
      : tree_{tree}, near_{near} {}

  // Those that a session changed something in never take the place of others.
  ProjectFinds find() {
    list({});
    for (const std::string& directory : near_) {
      list(directory);
    }
    for (std::size_t listed = 0; listed < kMostDirectories && !next_.empty(); ++listed) {
      const std::string directory = std::move(next_.front());
      next_.pop_front();
      list(directory);
    }
    return std::move(finds_);
  }

 private:
  void list(const std::string& directory) {
    const sys::Fd fd = sys::try_open_beneath(tree_.lower, directory, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      std::string path = sys::join_path(directory, entry.name);
      if (entry.type == DT_LNK || entry.type == DT_UNKNOWN) {
        finds_.links.push_back(path);
      }
      if (entry.name == ".git" && !directory.empty()) {
        finds_.repositories.push_back(directory);
      }
      if (entry.type == DT_REG &&
          find_leading_name(folded_name(sys::join_path(tree_.above, path))) != nullptr) {
        finds_.leading.push_back(path);
      }
      if ((entry.type == DT_DIR || entry.type == DT_UNKNOWN) && entry.name != ".git" &&
          !std::binary_search(near_.begin(), near_.end(), path)) {
        put_off(std::move(path));
      }
    }
  }

  // Names on the list come first. No more are kept than are examined.
  void put_off(std::string directory) {
    const std::string folded = folded_name(directory);
    if (find_sensitive_name(folded) != nullptr || find_sensitive_below(folded) != nullptr) {
      next_.push_front(std::move(directory));
    } else {
      next_.push_back(std::move(directory));
    }
    if (next_.size() > kMostDirectories) {
      next_.pop_back();
    }
  }

  const ProjectTree& tree_;
  const std::vector<std::string>& near_;
  std::deque<std::string> next_;
  ProjectFinds finds_;
};

}  // namespace

ProjectFinds links_of_project(const ProjectTree& tree, const std::vector<std::string>& near) {
  ProjectFinds finds = LinkSearch{tree, near}.find();
  std::vector<std::string>& links = finds.links;
  if (!tree.index.empty()) {
    std::vector<std::string> tracked = git::links_in_index(tree.index);
    std::move(tracked.begin(), tracked.end(), std::back_inserter(links));
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return finds;
}

}  // namespace shadow::sensitive
