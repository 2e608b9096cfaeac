// SPDX-License-Identifier: MIT
#include "commits/refs/commit_staging.hpp"

#include "shadow/error.hpp"

#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>
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

namespace {

// Not by whether a signal reaches it: one that was killed is there until its parent, which may be
// in no hurry, has waited for it.
bool belongs_to_a_process(std::string_view name) {
  pid_t pid = 0;
  std::uint64_t start = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  if (error != std::errc{} || pid <= 0 || !rest.starts_with('-')) {
    return false;
  }
  std::from_chars(rest.data() + 1, rest.data() + rest.size(), start);
  return sys::start_time(pid) == start;
}

}  // namespace

void remove_stale_staging(const std::string& state) {
  const sys::Fd dir = sys::open_path(state, O_RDONLY | O_DIRECTORY);
  const sys::Fd staging =
      sys::try_open_at(dir.get(), "commits", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const sys::DirEntry& entry :
       staging ? sys::list_dir(staging.get()) : std::vector<sys::DirEntry>{}) {
    if (!belongs_to_a_process(entry.name)) {
      sys::remove_tree(staging.get(), entry.name);
    }
  }
}

CommitStaging::CommitStaging(const std::string& state) {
  remove_stale_staging(state);
  const sys::Fd dir = sys::open_path(state, O_RDONLY | O_DIRECTORY);
  (void)sys::make_dirs(dir.get(), "commits", S_IRWXU);
  parent_ = sys::open_at(dir.get(), "commits", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  name_ =
      fmt::format("{}-{}-{}", ::getpid(), sys::start_time(::getpid()).value_or(0), sys::now_ns());
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
