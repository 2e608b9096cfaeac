// SPDX-License-Identifier: MIT
#include "live/live_view.hpp"

#include "base/text.hpp"
#include "session/directory/live_runs.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/namespaces/joined.hpp"
#include "sys/namespaces/outer_namespace.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <dirent.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

namespace shadow::live {
namespace {

bool goes_on(const session::LiveRecord& record) {
  return !record.keeper() && sys::start_time(record.supervisor) == record.start_time;
}

sys::Fd open_view(const sys::HeldNamespaces& namespaces, const std::string& project,
                  sys::Refreshing refreshing) {
  return sys::has_outer_namespace() ? sys::outer_open_joined(namespaces, project, refreshing)
                                    : sys::open_joined(namespaces, project, refreshing);
}

bool is_overlay(int fd) {
  struct statfs fs {};
  return ::fstatfs(fd, &fs) == 0 && fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

// Through the first run that can be joined, refreshed.
sys::Fd open_any(const session::SessionDir& session, const std::string& directory,
                 sys::Refreshing refreshing) {
  std::optional<SysError> failure;
  for (const session::LiveRecord& record : session::read_live(session)) {
    if (!goes_on(record)) {
      continue;
    }
    try {
      sys::Fd root =
          open_view({record.supervisor, record.user_fd, record.mount_fd}, directory, refreshing);
      // While the start time matches, what was opened before was this process's.
      if (is_overlay(root.get()) && goes_on(record)) {
        return root;
      }
    } catch (const SysError& error) {
      if (!failure && goes_on(record)) {
        failure = error;
      }
    }
  }
  if (failure) {
    throw SysError{*failure};
  }
  return {};
}

std::vector<sys::WritableFile> files_being_written(const session::SessionDir& session) {
  std::vector<pid_t> runs;
  for (const session::LiveRecord& record : session::read_live(session)) {
    if (record.init > 0 && goes_on(record)) {
      runs.push_back(record.init);
    }
  }
  return sys::has_outer_namespace() ? sys::outer_writable_files(runs)
                                    : sys::writable_files_of(runs);
}

// A name that a process gave itself.
std::string name_of(pid_t process) {
  try {
    auto name = sys::read_file_at(AT_FDCWD, fmt::format("/proc/{}/comm", process));
    return name ? std::string{name->substr(0, name->find('\n'))} : std::string{};
  } catch (const Error&) {
    return {};
  }
}

// Looks for one of the files at a path of the view and below.
class Search {
  using Children = std::vector<sys::DirEntry>;

 public:
  Search(int view, const std::vector<sys::WritableFile>& files) : view_{view}, files_{files} {
    struct stat st {};
    device_ = ::fstat(view, &st) == 0 ? st.st_dev : 0;
  }

  // The first of them, and in `where` its path.
  [[nodiscard]] const sys::WritableFile* find(const std::string& path, std::string& where) const {
    std::vector<std::string> left = {path};
    while (!left.empty()) {
      where = std::move(left.back());
      left.pop_back();
      const sys::Fd entry = sys::try_open_beneath(view_, where, O_PATH | O_NOFOLLOW);
      struct stat st {};
      if (!entry || ::fstat(entry.get(), &st) != 0) {
        continue;
      }
      const sys::WritableFile* found = S_ISREG(st.st_mode) ? written(st) : nullptr;
      if (found != nullptr) {
        return found;
      }
      if (S_ISDIR(st.st_mode)) {
        add_children(where, left);
      }
    }
    return nullptr;
  }

 private:
  void add_children(const std::string& directory, std::vector<std::string>& left) const {
    const sys::Fd dir = sys::try_open_beneath(view_, directory, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& child : dir ? sys::list_dir(dir.get()) : Children{}) {
      if (child.type == DT_REG || child.type == DT_DIR || child.type == DT_UNKNOWN) {
        left.push_back(sys::join_path(directory, child.name));
      }
    }
  }

  // A file of a layer on another filesystem has a device number of its own, except in the list of
  // a process's mappings, which gives that of the overlay.
  [[nodiscard]] const sys::WritableFile* written(const struct stat& st) const {
    const auto found =
        std::find_if(files_.begin(), files_.end(), [&](const sys::WritableFile& file) {
          return file.ino == st.st_ino && (file.dev == st.st_dev || file.dev == device_);
        });
    return found == files_.end() ? nullptr : &*found;
  }

  int view_;
  const std::vector<sys::WritableFile>& files_;
  std::uint64_t device_ = 0;
};

}  // namespace

std::optional<LiveView> LiveView::open(const session::SessionDir& session,
                                       const std::string& project) {
  sys::FileLock live = sys::lock_file_at(session.fd(), "live", sys::LockMode::Shared);
  sys::Fd root = open_any(session, project, sys::Refreshing::Once);
  return root ? std::optional{LiveView{std::move(live), std::move(root)}} : std::nullopt;
}

std::optional<LiveView> LiveView::try_open(const session::SessionDir& session,
                                           const std::string& directory,
                                           sys::Refreshing refreshing) {
  auto live = sys::try_lock_file_at(session.fd(), "live", sys::LockMode::Shared);
  sys::Fd root = live ? open_any(session, directory, refreshing) : sys::Fd{};
  return root ? std::optional{LiveView{std::move(*live), std::move(root)}} : std::nullopt;
}

BeingWritten LiveView::being_written(const session::SessionDir& session,
                                     const std::vector<std::string>& paths) const {
  BeingWritten written;
  const std::vector<sys::WritableFile> files =
      paths.empty() ? std::vector<sys::WritableFile>{} : files_being_written(session);
  if (files.empty()) {
    return written;
  }
  const Search search{root(), files};
  for (const std::string& path : paths) {
    std::string where;
    const sys::WritableFile* file = search.find(path, where);
    if (file == nullptr) {
      continue;
    }
    if (written.paths.empty()) {
      written.why = fmt::format("{} is open for writing in process {} ({}) of a live run",
                                quoted(where), file->process, quoted(name_of(file->process)));
    }
    written.paths.insert(path);
    written.files.push_back(std::move(where));
  }
  return written;
}

Error BeingWritten::refusal(const std::string& doing, std::string hint) const {
  std::string message = fmt::format("cannot {}: {}", doing, why);
  for (std::size_t i = 1; i < files.size(); ++i) {
    message += (i == 1 ? "; so " + std::string{files.size() == 2 ? "is " : "are "} : ", ") +
               quoted(files[i]);
  }
  return Error{message, std::move(hint), ExitCode::Refused, files};
}

void LiveView::require_unwritten(const session::SessionDir& session,
                                 const std::vector<std::string>& paths,
                                 const std::string& doing) const {
  const BeingWritten written = being_written(session, paths);
  if (!written.paths.empty()) {
    throw Error{written.refusal(doing, "try again when it is closed")};
  }
}

}  // namespace shadow::live
