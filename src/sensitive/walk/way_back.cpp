// SPDX-License-Identifier: MIT
#include "sensitive/walk/way_back.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/file.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

class WayBack {
 public:
  explicit WayBack(const std::string& root) : root_{root} {
    known_ = ::stat(root.c_str(), &root_stat_) == 0;
  }

  // What is left of an absolute path where it comes to the root; nullopt if it never does. A part
  // that does not exist is taken as it is written.
  std::optional<std::string> find(const std::string& path) {
    at_.clear();
    rest_.clear();
    is_root_ = false;
    follow(path);
    while (!rest_.empty()) {
      const std::string name = std::move(rest_.back());
      rest_.pop_back();
      if (!step(name)) {
        return std::nullopt;
      }
      if (is_root_) {
        return join({rest_.rbegin(), rest_.rend()}, "/");
      }
    }
    return std::nullopt;
  }

 private:
  // False after more links than the kernel follows.
  bool step(const std::string& name) {
    if (name.empty() || name == ".") {
      return true;
    }
    if (name == "..") {
      at_.erase(at_.empty() ? 0 : at_.rfind('/'));
      return true;
    }
    const std::string path = at_ + "/" + name;
    struct stat st {};
    const bool exists = ::lstat(path.c_str(), &st) == 0;
    if (exists && S_ISLNK(st.st_mode)) {
      return ++links_ <= kMostLinks && follow_link(path);
    }
    // A bind mount shows it under another name.
    is_root_ = path == root_ || (exists && known_ && S_ISDIR(st.st_mode) &&
                                 st.st_dev == root_stat_.st_dev && st.st_ino == root_stat_.st_ino);
    at_ = path;
    return true;
  }

  bool follow_link(const std::string& path) {
    try {
      follow(sys::read_link_at(AT_FDCWD, path));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void follow(std::string_view target) {
    if (target.starts_with('/')) {
      at_.clear();
    }
    std::vector<std::string> parts = split(target, '/');
    rest_.insert(rest_.end(), std::make_move_iterator(parts.rbegin()),
                 std::make_move_iterator(parts.rend()));
  }

  const std::string& root_;
  struct stat root_stat_ {};
  bool known_ = false;
  bool is_root_ = false;
  std::string at_;                 // "" is "/"
  std::vector<std::string> rest_;  // the next one last
  std::size_t links_ = 0;          // of all ways
};

}  // namespace

LinkWalk walk_link_back(const std::string& start, const std::string& target,
                        const std::string& root, const LookAt& look) {
  LinkWalk walk = walk_link(start, target, root, look);
  std::optional<WayBack> way;
  while (!walk.outside.empty()) {
    if (!way) {
      way.emplace(root);
    }
    const auto rest = way->find(walk.outside);
    if (!rest) {
      break;
    }
    LinkWalk more = walk_link("", *rest, root, look);
    more.links.insert(more.links.begin(), walk.links.begin(), walk.links.end());
    walk = std::move(more);
    if (walk.links.size() > kMostLinks) {
      walk.outside.clear();
      walk.endless = true;
    }
  }
  return walk;
}

}  // namespace shadow::sensitive
