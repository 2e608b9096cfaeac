// SPDX-License-Identifier: MIT
#include "sensitive/walk/link_walk.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <string_view>

namespace shadow::sensitive {

namespace {

class Walker {
 public:
  Walker(const std::string& root, const LookAt& look) : root_{root}, look_{look} {}

  LinkWalk walk(const std::string& start, const std::string& target) {
    at_ = start.empty() ? std::vector<std::string>{} : split(start, '/');
    follow(target);
    while (!rest_.empty() && walk_.inside()) {
      const std::string name = std::move(rest_.back());
      rest_.pop_back();
      step(name);
    }
    if (walk_.inside()) {
      walk_.end = join(at_, "/");
    } else if (!walk_.endless) {
      std::reverse(rest_.begin(), rest_.end());
      walk_.outside += rest_.empty() ? "" : "/" + join(rest_, "/");
    }
    return std::move(walk_);
  }

 private:
  void step(const std::string& name) {
    if (name.empty() || name == ".") {
      return;
    }
    if (name == "..") {
      if (at_.empty()) {
        walk_.outside = root_.substr(0, root_.rfind('/'));
        walk_.outside += walk_.outside.empty() ? "/" : "";
        return;
      }
      walk_.up_from_nothing = walk_.up_from_nothing || at_nothing_;
      at_nothing_ = false;
      at_.pop_back();
      return;
    }
    at_.push_back(name);
    const std::string path = join(at_, "/");
    const Entry entry = look_(path);
    at_nothing_ = !entry.exists();
    if (entry.kind == EntryKind::Symlink) {
      walk_.endless = walk_.links.size() == kMostLinks;
      walk_.links.push_back(path);
      at_.pop_back();
      follow(entry.target.str());
    }
  }

  void follow(std::string_view target) {
    if (target.starts_with('/')) {
      if (!is_at_or_below(target, root_)) {
        walk_.outside = target;
        return;
      }
      target.remove_prefix(root_.size());
      at_.clear();
    }
    std::vector<std::string> parts = split(target, '/');
    rest_.insert(rest_.end(), parts.rbegin(), parts.rend());
  }

  const std::string& root_;
  const LookAt& look_;
  std::vector<std::string> at_;
  std::vector<std::string> rest_;  // the next one last
  bool at_nothing_ = false;
  LinkWalk walk_;
};

}  // namespace

bool turns_back(std::string_view target) {
  bool down = false;
  for (const std::string& name : split(target, '/')) {
    if (name == ".." && down) {
      return true;
    }
    down = down || !(name.empty() || name == "." || name == "..");
  }
  return false;
}

LinkWalk walk_link(const std::string& start, const std::string& target, const std::string& root,
                   const LookAt& look) {
  return Walker{root, look}.walk(start, target);
}

}  // namespace shadow::sensitive
