// SPDX-License-Identifier: MIT
#include "sensitive/linked_names.hpp"

#include "base/text.hpp"
#include "sensitive/folded_name.hpp"
#include "sensitive/sensitive_names.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"

#include <dirent.h>
#include <fcntl.h>

namespace shadow {

namespace {

constexpr int kDeepest = 3;               // directories of a name in the list
constexpr std::size_t kMostNames = 5000;  // looked at in all

class Finder {
 public:
  Finder(int lower, const std::string& root, const LookAt& look)
      : lower_{lower}, root_{root}, look_{look} {}

  std::vector<NamedPath> find() {
    search("", 0);
    return std::move(found_);
  }

 private:
  void search(const std::string& directory, int depth) {
    const sys::Fd fd = sys::try_open_beneath(lower_, directory, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      const bool may_be_link = entry.type == DT_LNK || entry.type == DT_UNKNOWN;
      if ((!may_be_link && entry.type != DT_DIR) || entry.name == ".git") {
        continue;
      }
      if (++names_ > kMostNames) {
        return;
      }
      const std::string path = sys::join_path(directory, entry.name);
      const std::string folded = folded_name(path);
      const SensitiveName* rule = find_sensitive_name(folded);
      if (may_be_link && rule != nullptr) {
        add_link(path, *rule);
      }
      const bool leads_on = rule != nullptr || find_sensitive_below(folded) != nullptr;
      if (entry.type != DT_LNK && leads_on && depth < kDeepest) {
        search(path, depth + 1);
      }
    }
  }

  void add_link(const std::string& path, const SensitiveName& rule) {
    const LinkWalk walk = walk_link("", path, root_, look_);
    const std::string reason = std::string{rule.reason} + ": " + path + " is a link to it";
    for (std::size_t i = 1; i < walk.links.size(); ++i) {
      found_.push_back({walk.links[i], reason, false, false});
    }
    if (walk.outside.empty() && !walk.links.empty() && !walk.end.empty()) {
      found_.push_back({walk.end, reason, rule.kind == SensitiveKind::Directory, false});
    }
  }

  int lower_;
  const std::string& root_;
  const LookAt& look_;
  std::size_t names_ = 0;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> paths_linked_by_names(int lower, const std::string& root,
                                             const LookAt& look) {
  return Finder{lower, root, look}.find();
}

}  // namespace shadow
