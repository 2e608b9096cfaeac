// SPDX-License-Identifier: MIT
#include "sandbox/secrets/project_view.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "sandbox/setup/place.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <dirent.h>
#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

constexpr mode_t kDirectoryMode = 0755;

class SecretSearch {
 public:
  SecretSearch(const std::string& project, const std::vector<std::string>& patterns,
               std::size_t most)
      : root_{sys::open_path(project, O_PATH | O_DIRECTORY)}, patterns_{patterns}, most_{most} {}

  std::vector<std::string> run() {
    std::vector<std::string> directories = {""};
    while (!directories.empty()) {
      const std::string directory = std::move(directories.back());
      directories.pop_back();
      look_into(directory, directories);
    }
    return std::move(found_);
  }

 private:
  void look_into(const std::string& directory, std::vector<std::string>& directories) {
    const sys::Fd dir = sys::try_open_beneath(root_.get(), directory, O_RDONLY | O_DIRECTORY);
    if (!dir) {
      return;  // not readable for the run either
    }
    for (const sys::DirEntry& entry : sys::list_dir(dir.get())) {
      const std::string path = sys::join_path(directory, entry.name);
      if (entry.type == DT_DIR) {
        if (entry.name != ".git") {
          directories.push_back(path);
        }
      } else if (entry.type == DT_REG && is_secret_file(path, patterns_)) {
        found_.push_back(path);
        if (found_.size() > most_) {
          throw Error{"cannot hide the project's secrets: more than " + std::to_string(most_) +
                          " files look like one",
                      "make the patterns in the configuration narrower"};
        }
      }
    }
  }

  sys::Fd root_;
  const std::vector<std::string>& patterns_;
  std::size_t most_;
  std::vector<std::string> found_;
};

}  // namespace

sys::Fd clone_below(const std::string& project, const std::string& below, mode_t kind) {
  const sys::Fd root = sys::open_path(project, O_PATH | O_DIRECTORY);
  const sys::Fd there = sys::try_open_beneath(root.get(), below, O_PATH);
  if (!there) {
    throw_errno("find " + quoted(below) + " in the view");
  }
  struct stat st {};
  const bool link = ::fstat(there.get(), &st) != 0 || S_ISLNK(st.st_mode);
  if (link || (kind != 0 && (st.st_mode & S_IFMT) != kind)) {
    throw Error{"cannot use " + quoted(below) + " of the view: a run made something else of it",
                "see what it is: shadow diff"};
  }
  return sys::clone_mount(there.get(), "", sys::Recursive::Yes);
}

void mask_project_secrets(const std::string& project, const std::vector<std::string>& patterns,
                          std::size_t most) {
  const std::vector<std::string> secrets = SecretSearch{project, patterns, most}.run();
  const sys::Fd root = sys::open_path(project, O_PATH | O_DIRECTORY);
  for (const std::string& path : secrets) {
    const sys::Fd null = sys::clone_mount(AT_FDCWD, "/dev/null", sys::Recursive::No);
    const sys::Fd point = sys::open_beneath(root.get(), path, O_PATH);
    sys::attach_mount(null.get(), point.get(), path);
  }
}

void show_only(const std::string& project, const std::string& file, const std::string& cwd) {
  const std::string below = file.substr(project.size() + 1);
  const sys::Fd shown = clone_below(project, below, S_IFREG);
  const sys::Fd empty = new_tmpfs({"64K", "755"});
  attach_at(empty.get(), project);  // before anything is put on it: see attach_mount()
  const sys::SplitPath parts = sys::split_path(below);
  const sys::Fd parent = sys::make_dirs(empty.get(), parts.parent, kDirectoryMode);
  {
    const sys::Fd point =
        sys::open_at(parent.get(), std::string{parts.name}, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR);
    sys::attach_mount(shown.get(), point.get(), file);
  }
  if (cwd.size() > project.size()) {
    sys::make_dirs(empty.get(), cwd.substr(project.size() + 1), kDirectoryMode);
  }
  sys::change_mount(empty.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::No);
}

}  // namespace shadow::sandbox
