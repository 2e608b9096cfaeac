// SPDX-License-Identifier: MIT
#include "commits/refs/commit_staging.hpp"

#include "shadow/error.hpp"

#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::commits {

void copy_index(int git_dir, const std::string& to) {
  constexpr std::uint64_t kMostIndex = std::uint64_t{1} << 30U;
  if (const auto bytes = sys::read_file_at(git_dir, "index", kMostIndex)) {
    const sys::Fd file =
        sys::open_path(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    sys::write_all(file.get(), *bytes);
  }
}

void remove_stale_staging(const std::string& state) {
  const sys::Fd dir = sys::open_path(state, O_RDONLY | O_DIRECTORY);
  const sys::Fd staging =
      sys::try_open_at(dir.get(), "commits", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const sys::DirEntry& entry :
       staging ? sys::list_dir(staging.get()) : std::vector<sys::DirEntry>{}) {
    // One that was killed is there until its parent, which may be in no hurry, has waited for it.
    if (!sys::is_of_live_process(entry.name)) {
      sys::remove_tree(staging.get(), entry.name);
    }
  }
}

CommitStaging::CommitStaging(const std::string& state) {
  remove_stale_staging(state);
  const sys::Fd dir = sys::open_path(state, O_RDONLY | O_DIRECTORY);
  (void)sys::make_dirs(dir.get(), "commits", S_IRWXU);
  parent_ = sys::open_at(dir.get(), "commits", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  name_ = sys::own_process_tag() + '-' + std::to_string(sys::now_ns());
  (void)sys::make_dirs(parent_.get(), name_, S_IRWXU);
  dir_ = sys::open_at(parent_.get(), name_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  path_ = state + "/commits/" + name_;
}

CommitStaging::~CommitStaging() {
  try {
    sys::remove_tree(parent_.get(), name_);
  } catch (const Error&) {
    return;  // the next one removes it
  }
}

}  // namespace shadow::commits
