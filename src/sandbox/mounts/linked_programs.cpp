// SPDX-License-Identifier: MIT
// A program that updates itself is a link in ~/.local/bin to the version below ~/.local/share that
// is the present one. Its whole directory there is state as much as program, and is not shown.
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/home.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr const char* kVersions = ".local/share";

// Where a link leads by its words alone; what it goes by may be links as well.
std::string led_to(std::string directory, const std::string& target) {
  if (target.starts_with('/')) {
    directory.clear();
  }
  for (const std::string& part : split(target, '/')) {
    if (part == "..") {
      directory.resize(directory.rfind('/') == std::string::npos ? 0 : directory.rfind('/'));
    } else if (!part.empty() && part != ".") {
      directory.append("/").append(part);
    }
  }
  return directory;
}

bool is_program(const std::string& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

class LinkedPrograms {
 public:
  LinkedPrograms(const std::string& home, const std::vector<std::string>& shown,
                 const std::vector<std::string>& secrets)
      : home_{home}, shown_{shown}, secrets_{secrets} {}

  void look_in(const std::string& directory) {
    const std::string path = home_ + "/" + directory;
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry :
         fd ? sys::list_dir_sorted(fd.get()) : std::vector<sys::DirEntry>{}) {
      if (entry.type != DT_LNK && entry.type != DT_UNKNOWN) {
        continue;
      }
      const auto real = sys::real_path(path + "/" + entry.name);
      if (real && may_be_shown(*real) && is_program(*real)) {
        add(*real, *real);
        add(led_to(path, sys::read_link_at(fd.get(), entry.name)), *real);
      }
    }
  }

  std::vector<ShownTool> take() { return std::move(found_); }

 private:
  [[nodiscard]] bool may_be_shown(const std::string& path) const {
    if (!path.starts_with(home_ + "/")) {
      return false;
    }
    const std::string below = path.substr(home_.size() + 1);
    const auto covers = [&below](const std::string& one) { return is_at_or_below(below, one); };
    return below != kVersions && is_at_or_below(below, kVersions) &&
           std::none_of(shown_.begin(), shown_.end(), covers) &&
           std::none_of(secrets_.begin(), secrets_.end(), covers);
  }

  void add(const std::string& point, const std::string& real) {
    const auto is_there = [&](const ShownTool& one) { return home_ + "/" + one.point == point; };
    if (may_be_shown(point) && std::none_of(found_.begin(), found_.end(), is_there)) {
      found_.push_back({point.substr(home_.size() + 1), real.substr(home_.size() + 1)});
    }
  }

  const std::string& home_;
  const std::vector<std::string>& shown_;
  const std::vector<std::string>& secrets_;
  std::vector<ShownTool> found_;
};

}  // namespace

std::vector<ShownTool> linked_programs(const std::string& home,
                                       const std::vector<std::string>& shown,
                                       const std::vector<std::string>& secrets) {
  LinkedPrograms programs{home, shown, secrets};
  for (const std::string& directory : shown) {
    if (sys::split_path(directory).name == "bin") {
      try {
        programs.look_in(directory);
      } catch (const Error&) {
        continue;  // one that cannot be read, or a link that went meanwhile
      }
    }
  }
  return programs.take();
}

}  // namespace shadow::sandbox
