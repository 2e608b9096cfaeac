// SPDX-License-Identifier: MIT
#include "session/git_dir.hpp"

#include "sys/file.hpp"

#include <algorithm>
#include <array>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow {

namespace {

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
    text.pop_back();
  }
  return text;
}

std::string below(const std::string& directory, const std::string& path) {
  return !path.empty() && path.front() == '/' ? path : directory + "/" + path;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

std::optional<std::string> git_dir_of(std::string_view path) {
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    if (path.substr(start, slash - start) == ".git") {
      return std::string{path.substr(0, slash)};
    }
    start = slash + 1;
  }
  return std::nullopt;
}

bool belongs_to_new_git_dir(const Change& change) {
  const auto dir = git_dir_of(change.path);
  if (!dir || (change.after.kind != EntryKind::File && change.after.kind != EntryKind::Directory)) {
    return false;
  }
  if (change.path.size() == dir->size()) {
    // A `.git` file points to a git directory elsewhere.
    return change.after.kind == EntryKind::Directory;
  }
  const std::string_view inside = std::string_view{change.path}.substr(dir->size() + 1);
  constexpr std::array<std::string_view, 9> kFiles = {"HEAD",           "ORIG_HEAD", "packed-refs",
                                                      "index",          "config",    "description",
                                                      "COMMIT_EDITMSG", "shallow",   "info"};
  constexpr std::array<std::string_view, 4> kTrees = {"refs", "objects", "logs", "branches"};
  if (starts_with(inside, "objects/info/") && inside.find("alternates") != std::string_view::npos) {
    return false;  // objects from wherever it says
  }
  return inside == "info/exclude" ||
         std::find(kFiles.begin(), kFiles.end(), inside) != kFiles.end() ||
         std::any_of(kTrees.begin(), kTrees.end(), [inside](std::string_view tree) {
           return inside == tree || (starts_with(inside, tree) && inside[tree.size()] == '/');
         });
}

bool is_git_bookkeeping(std::string_view path) {
  constexpr std::string_view kDir = ".git/";
  if (path == ".git") {
    return true;
  }
  if (!starts_with(path, kDir)) {
    return false;
  }
  path.remove_prefix(kDir.size());
  constexpr std::array<std::string_view, 10> kFiles = {
      "HEAD",           "ORIG_HEAD",  "FETCH_HEAD", "packed-refs", "index",
      "COMMIT_EDITMSG", "MERGE_HEAD", "MERGE_MSG",  "MERGE_MODE",  "AUTO_MERGE"};
  constexpr std::array<std::string_view, 5> kTrees = {"refs", "objects", "logs", "rebase-merge",
                                                      "rebase-apply"};
  if (starts_with(path, "objects/info/")) {
    return false;
  }
  return std::find(kFiles.begin(), kFiles.end(), path) != kFiles.end() ||
         std::any_of(kTrees.begin(), kTrees.end(), [path](std::string_view tree) {
           return path == tree || (starts_with(path, tree) && path[tree.size()] == '/');
         });
}

std::string reduced_git_config(std::string_view original) {
  std::string lower{original};
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const std::size_t format = lower.find("objectformat");
  const bool sha256 =
      format != std::string::npos &&
      lower.substr(format, lower.find('\n', format) - format).find("sha256") != std::string::npos;
  std::string text = "[core]\n\trepositoryformatversion = ";
  text += sha256 ? "1" : "0";
  text += "\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";
  if (sha256) {
    text += "[extensions]\n\tobjectformat = sha256\n";
  }
  return text;
}

std::optional<RealGitDir> real_git_dir(const std::string& root) {
  const std::string path = root + "/.git";
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) {
    return std::nullopt;
  }
  if (S_ISDIR(st.st_mode)) {
    return RealGitDir{path, path};
  }
  constexpr std::uint64_t kMost = 1U << 16U;
  constexpr std::string_view kPrefix = "gitdir: ";
  const auto text = S_ISREG(st.st_mode) ? sys::read_file_at(AT_FDCWD, path, kMost) : std::nullopt;
  if (!text || !starts_with(*text, kPrefix)) {
    return std::nullopt;
  }
  RealGitDir found;
  found.dir = below(root, without_line_end(text->substr(kPrefix.size())));
  const auto common = sys::read_file_at(AT_FDCWD, found.dir + "/commondir", kMost);
  found.common = common ? below(found.dir, without_line_end(*common)) : found.dir;
  return found;
}

}  // namespace shadow
