// SPDX-License-Identifier: MIT
#include "commits/move/ref_mover.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "commits/refs/commit_staging.hpp"
#include "commits/refs/session_git.hpp"
#include "git/commits/index_edit.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::commits {

namespace {

using Differences = std::vector<git::TreeDifference>;

bool is_executable(const Entry& entry) {
  return (entry.mode & S_IXUSR) != 0;
}

// The real file at a path, when its content is what the branch has there.
std::optional<Entry> clean_file(int root, const git::TreeDifference& row) {
  const Entry entry = overlay::look_beneath(root, row.path);
  if (row.after_mode == git::kLinkMode && entry.kind == EntryKind::Symlink) {
    return git::blob_id(entry.target.str()) == row.after_id ? std::optional{entry} : std::nullopt;
  }
  const bool program = row.after_mode == git::kExecutableMode;
  constexpr std::uint64_t kMostToHash = std::uint64_t{64} << 20U;  // the rest git looks at itself
  if (entry.kind != EntryKind::File || entry.size > kMostToHash ||
      program != is_executable(entry) || (!program && row.after_mode != git::kFileMode)) {
    return std::nullopt;
  }
  const sys::Fd file = sys::try_open_beneath(root, row.path, O_RDONLY | O_NONBLOCK);
  if (!file || !same_state(overlay::look_fd(file.get()), entry) ||
      git::blob_id(file.get()) != row.after_id ||
      !same_state(overlay::look_fd(file.get()), entry)) {
    return std::nullopt;
  }
  return entry;
}

std::map<std::string, Entry> clean_files(const std::string& root, const Differences& differences) {
  std::map<std::string, Entry> clean;
  const sys::Fd dir = sys::open_path(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const git::TreeDifference& row : differences) {
    try {
      if (auto entry = clean_file(dir.get(), row)) {
        clean.emplace(row.path, std::move(*entry));
      }
    } catch (const Error&) {
      continue;  // git looks for itself
    }
  }
  return clean;
}

std::string host_name() {
  std::string name(256, '\0');
  if (::gethostname(name.data(), name.size() - 1) != 0) {
    return "localhost";
  }
  return name.substr(0, name.find('\0'));
}

}  // namespace

RefMover::RefMover(const promote::GitPlace& place, promote::LockBook& book, std::string root,
                   std::string staging, std::string message)
    : place_{place},
      book_{book},
      root_{std::move(root)},
      staging_{std::move(staging)},
      message_{std::move(message)} {
}

std::string RefMover::move(const promote::RefMove& move, bool checked_out,
                           const Differences& differences) {
  std::optional<promote::GitLock> index;
  std::string text;
  if (checked_out && !differences.empty()) {
    constexpr std::chrono::seconds kPatience{2};
    index =
        promote::GitLock::take_within(kPatience, place_.own(), place_.own_path(), "index", book_);
    if (!index) {
      return "git has the index locked";
    }
    const std::string copy = staging_ + "/index";
    copy_index(place_.own(), copy);
    const git::IndexEdit edited =
        git::edit_index(copy, differences, clean_files(root_, differences));
    if (!edited.ok()) {
      ::unlink(copy.c_str());
      return edited.fault.empty() ? fmt::format("{} is staged or marked in the project",
                                                quoted(edited.staged.front()))
                                  : edited.fault;
    }
    text = sys::read_file_at(AT_FDCWD, copy).value_or("");
    ::unlink(copy.c_str());
  }
  std::string why;
  auto update = promote::RefUpdate::begin(place_, move, book_, why);
  if (!update) {
    return why;
  }
  // The index first: ended in between, `git status` calls the commits staged, and the next apply
  // moves the branch.
  if (index && !text.empty()) {
    const Entry old = overlay::look_at(place_.own(), "index");
    index->write(text, old.exists() ? old.mode : 0);
    index->commit();
  }
  update->commit(book_);
  const std::string who =
      git_identity(place_.common_path())
          .value_or(
              fmt::format("{0} <{0}@{1}>", sys::environment("USER").value_or("user"), host_name()));
  promote::log_ref(place_, move, checked_out, who, message_);
  return {};
}

}  // namespace shadow::commits
