// SPDX-License-Identifier: MIT
#include "sensitive/repositories/new_git_dir.hpp"

#include "base/ascii.hpp"
#include "base/git_config_text.hpp"
#include "base/text.hpp"
#include "git/repository/git_refs.hpp"
#include "sensitive/repositories/git_lookalike.hpp"
#include "session/project/git_dir.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace shadow::sensitive {

namespace {

using Parts = std::vector<std::string>;

constexpr std::array<std::size_t, 2> kIdLengths = {40, 64};  // SHA-1, SHA-256

bool is_hex(std::string_view text, std::size_t length) {
  return text.size() == length &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_hex_id(std::string_view text) {
  return std::any_of(kIdLengths.begin(), kIdLengths.end(),
                     [text](std::size_t length) { return is_hex(text, length); });
}

bool is_pack_name(std::string_view name) {
  constexpr std::string_view kStart = "pack-";
  constexpr std::array<std::string_view, 2> kOfPacks = {".pack", ".idx"};
  const std::size_t dot = std::min(name.find('.'), name.size());
  return name.starts_with(kStart) &&
         std::find(kOfPacks.begin(), kOfPacks.end(), name.substr(dot)) != kOfPacks.end() &&
         is_hex_id(name.substr(kStart.size(), dot - kStart.size()));
}

// objects/12/345..., objects/pack/pack-1234....pack; not what leads to objects elsewhere.
bool is_of_objects(const Parts& parts, bool directory) {
  if (parts.size() == 1) {
    return directory;
  }
  const bool fan_out = is_hex(parts[1], 2);
  if (parts.size() == 2) {
    return directory && (fan_out || parts[1] == "pack" || parts[1] == "info");
  }
  if (directory || parts.size() > 3) {
    return false;
  }
  return parts[1] == "pack"   ? is_pack_name(parts[2])
         : parts[1] == "info" ? false
                              : fan_out && is_hex_id(parts[1] + parts[2]);
}

// Only the refs that people look at, branches and tags, are of such a kind: a replacement
// (refs/replace) would make every commit another one, and a note or a refs/original of whatever
// history is shown by nobody.
bool is_kind_of_ref(const Parts& parts, bool directory) {
  constexpr std::array<std::string_view, 3> kKinds = {"heads", "tags", "remotes"};
  const bool is_kind = std::find(kKinds.begin(), kKinds.end(), parts[1]) != kKinds.end();
  return is_kind ? directory || parts.size() > 2
                 : parts.size() == 2 && parts[1] == "stash" && !directory;
}

// A ref's name can be any, "refs/remotes/a/config" too. No directory of refs is
// to have what makes a git directory: a HEAD only where git puts one, beside branches of a remote,
// and then none of the other marks.
bool is_of_refs(const Parts& parts, bool directory) {
  constexpr std::size_t kOfRemote = 3;  // refs/remotes/origin/...
  for (std::size_t i = 1; i < parts.size(); ++i) {
    GitMarks marks;
    marks.add(parts[i]);
    const bool beside_branches = i == kOfRemote && parts[1] == "remotes";
    const bool is_remote_head =
        beside_branches && parts[i] == "HEAD" && i + 1 == parts.size() && !directory;
    if ((marks.head && !is_remote_head) ||
        (beside_branches && (marks.objects || marks.refs || marks.common))) {
      return false;
    }
  }
  return parts.size() == 1 ? directory
                           : is_kind_of_ref(parts, directory) &&
                                 git::is_ref_name(join(parts, "/") + (directory ? "/x" : ""));
}

// No logs of refs, and no ORIG_HEAD: they name commits that no branch has, and nobody was shown.
// Nor was anybody shown a description, or what info/exclude keeps out of sight.
bool is_of_top(const std::string& name) {
  constexpr std::array<std::string_view, 5> kFiles = {"HEAD", "packed-refs", "index", "config",
                                                      "shallow"};
  return std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end();
}

}  // namespace

bool belongs_to_new_git_dir(const Change& change) {
  const auto dir = session::git_dir_of(change.path);
  const bool directory = change.after.kind == EntryKind::Directory;
  if (!dir || !(*dir == ".git" || dir->ends_with("/.git")) ||
      (change.after.kind != EntryKind::File && !directory)) {
    return false;
  }
  if (change.path.size() == dir->size()) {
    return directory;  // a `.git` file points to a git directory elsewhere
  }
  const Parts parts = split(std::string_view{change.path}.substr(dir->size() + 1), '/');
  if (parts.front() == "objects") {
    return is_of_objects(parts, directory);
  }
  if (parts.front() == "refs") {
    return is_of_refs(parts, directory);
  }
  return parts.size() == 1 && !directory && is_of_top(parts.front());
}

std::string reduced_git_config(std::string_view original) {
  bool sha256 = false;
  for (const GitConfigEntry& entry : parse_git_config_text(original).entries) {
    if (entry.section == "extensions" && entry.key == "objectformat") {
      sha256 = entry.value && lower_ascii(*entry.value) == "sha256";
    }
  }
  std::string text = "[core]\n\trepositoryformatversion = ";
  text += sha256 ? "1" : "0";
  text += "\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";
  if (sha256) {
    text += "[extensions]\n\tobjectformat = sha256\n";
  }
  return text;
}

}  // namespace shadow::sensitive
