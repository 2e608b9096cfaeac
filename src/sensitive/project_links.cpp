// SPDX-License-Identifier: MIT
#include "sensitive/project_links.hpp"

#include "git/git_index.hpp"
#include "sensitive/folded_name.hpp"
#include "sensitive/sensitive_names.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>

namespace shadow {

namespace {

constexpr std::size_t kMostDirectories = 300;  // to list one takes 10 microseconds

class LinkSearch {
 public:
  explicit LinkSearch(int lower) : lower_{lower} {}

  std::vector<std::string> find(const std::vector<std::string>& near) {
    next_.emplace_back();
    next_.insert(
        next_.end(), near.begin(),
        near.begin() + static_cast<std::ptrdiff_t>(std::min(near.size(), kMostDirectories / 2)));
    while (!next_.empty() && seen_.size() < kMostDirectories) {
      const std::string directory = std::move(next_.front());
      next_.pop_front();
      if (seen_.insert(directory).second) {
        list(directory);
      }
    }
    return std::move(links_);
  }

 private:
  void list(const std::string& directory) {
    const sys::Fd fd = sys::try_open_beneath(lower_, directory, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      std::string path = sys::join_path(directory, entry.name);
      if (entry.type == DT_LNK || entry.type == DT_UNKNOWN) {
        links_.push_back(path);
      }
      if ((entry.type != DT_DIR && entry.type != DT_UNKNOWN) || entry.name == ".git") {
        continue;
      }
      // What the list speaks of comes first.
      const std::string folded = folded_name(path);
      if (find_sensitive_name(folded) != nullptr || find_sensitive_below(folded) != nullptr) {
        next_.push_front(std::move(path));
      } else {
        next_.push_back(std::move(path));
      }
    }
  }

  int lower_;
  std::deque<std::string> next_;
  std::set<std::string> seen_;
  std::vector<std::string> links_;
};

}  // namespace

std::vector<std::string> links_of_project(const ProjectTree& tree,
                                          const std::vector<std::string>& near) {
  std::vector<std::string> links = LinkSearch{tree.lower}.find(near);
  if (!tree.index.empty()) {
    std::vector<std::string> tracked = git::links_in_index(tree.index);
    std::move(tracked.begin(), tracked.end(), std::back_inserter(links));
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace shadow
