// SPDX-License-Identifier: MIT
#include "git/commits/commit_changes.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/tool_files.hpp"
#include "base/wire.hpp"
#include "git/commits/commit_walk.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/objects.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/objects/tree_names.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/git_refs.hpp"
#include "sys/files/beneath.hpp"

#include <git2/sys/repository.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace shadow::git {

namespace {

constexpr std::size_t kMostCommits = 5000;
constexpr std::size_t kMostChanges = 200'000;
constexpr std::size_t kMostOfText = 1U << 16U;
constexpr std::size_t kMostShown = std::size_t{24} << 20U;  // bytes of both sides of a commit

// A fault that is no damage.
class TooMuch : public Error {
 public:
  using Error::Error;
};

// The commits of the user's own branches, without those of remotes: anybody who can push writes
// these, and a session that moves one of the user's branches there accepts them on the user's
// behalf.
std::vector<std::string> known_commits(const GitDirs& dirs) {
  return read_refs(disk_reader(dirs.real_git_dir)).branch_commits();
}

// A tag's commit; the id itself of anything else.
git_oid peeled(git_odb* odb, git_oid id) {
  constexpr int kMostTags = 16;
  for (int i = 0; i < kMostTags; ++i) {
    const ObjectHandle object = read_object(odb, id);
    if (git_odb_object_type(object.get()) == GIT_OBJECT_COMMIT) {
      return id;
    }
    const Checked checked = git_odb_object_type(object.get()) == GIT_OBJECT_TAG
                                ? check_object(GIT_OBJECT_TAG, bytes_of(object))
                                : Checked{};
    if (checked.links.empty()) {
      break;
    }
    id = checked.links.front().id;
  }
  throw TooMuch{"it names no commit"};
}

class CommitCollector {
 public:
  CommitCollector(const GitDirs& dirs, const sys::Fd& upper)
      : odb_{open_objects(dirs, upper)},
        repository_{make<RepositoryHandle>("open objects", git_repository_wrap_odb, odb_.get())},
        walk_{repository_.get(), shallow_commits(dirs)},
        known_{known_commits(dirs)} {}

  CommitChanges collect(const CommitTip& tip) {
    CommitChanges result;
    result.abbreviates = abbreviates(tip.short_name);
    try {
      const std::string id = to_hex(peeled(odb_.get(), to_oid(tip.id)));
      const auto news = walk_.news(id, known_, kMostCommits);
      if (news.more) {
        throw TooMuch{"it has more new commits than can be looked through"};
      }
      Found found;
      for (const Commit& commit : news.commits) {
        add(commit.id, found);
      }
      result.elsewhere = has_others(found, tip, id) ? id : "";
      result.changes = list(found, tip, id);
    } catch (const TooMuch& fault) {
      result.fault = fault.what();
    } catch (const Error&) {
      result.fault = "its commits cannot be read";
    }
    return result;
  }

 private:
  using Version = std::tuple<std::string, unsigned, std::string>;
  using Found = std::map<Version, CommitChange>;

  static Version version_of(const TreeDifference& row) {
    return {row.path, row.after_mode, row.after_id};
  }

  // What a merge has as one of its parents has it comes from there.
  void add(const std::string& commit, Found& found) {
    CommitDifferences all = changes_of_commit(odb_.get(), commit);
    std::map<Version, std::size_t> times;
    for (const CommitDifference& one : all.rows) {
      ++times[version_of(one.row)];
    }
    for (CommitDifference& one : all.rows) {
      const Version version = version_of(one.row);
      CommitChange& change = found[version];
      change.in_git_dir = change.in_git_dir || one.in_git_dir;
      if (change.row.path.empty()) {
        change.row = std::move(one.row);
        change.text = text_of(change.row);
        change.inherited = true;
      }
      change.inherited = change.inherited && times[version] < all.trees;
      if (found.size() > kMostChanges) {
        throw TooMuch{"its commits change more than can be looked through"};
      }
    }
  }

  std::optional<std::string> text_of(const TreeDifference& row) {
    const std::string_view name = sys::split_path(row.path).name;
    const bool head = lower_ascii(name) == "head";
    const bool judged = head || is_dot_file(name, DotFile::Attributes) || is_tool_file(name) ||
                        is_shared_name(name);
    if (row.after_mode == kModuleMode ||
        (row.after_mode != kLinkMode && !(judged && row.after_mode != 0))) {
      return std::nullopt;
    }
    const ObjectHandle object = read_object(odb_.get(), to_oid(row.after_id));
    const std::string_view bytes = bytes_of(object);
    return bytes.size() <= kMostOfText || (head && row.after_mode != kLinkMode)
               ? std::optional{std::string{bytes.substr(0, kMostOfText)}}
               : std::nullopt;
  }

  using Differences = std::map<std::string, TreeDifference>;
  Differences differences_of(const std::string& before, const std::string& after) {
    Differences rows;
    for (TreeDifference& row : difference(odb_.get(), before, after)) {
      rows.emplace(row.path, row);
    }
    return rows;
  }

  TreeHandle tree_of(const std::string& commit) {
    git_commit* found = nullptr;
    const git_oid id = commit.empty() ? git_oid{} : to_oid(commit);
    if (commit.empty() || git_commit_lookup(&found, repository_.get(), &id) < 0) {
      return nullptr;
    }
    const CommitHandle owned{found};
    return make<TreeHandle>("read a commit's tree", git_commit_tree, owned.get());
  }

  bool has_others(const Found& found, const CommitTip& tip, const std::string& id) {
    if (found.empty()) {
      return false;  // nothing is to be judged by it
    }
    const std::vector<TreeDifference> rows = difference(odb_.get(), tip.head, id);
    return std::any_of(rows.begin(), rows.end(), [&found](const TreeDifference& row) {
      const auto own = found.find(version_of(row));
      return own == found.end() || own->second.inherited;
    });
  }

  static bool has(const TreeHandle& tree, const TreeDifference& version) {
    git_tree_entry* found = nullptr;
    if (tree == nullptr || version.after_mode == 0 ||
        git_tree_entry_bypath(&found, tree.get(), version.path.c_str()) < 0) {
      return false;
    }
    const TreeEntryHandle entry{found};
    return static_cast<unsigned>(git_tree_entry_filemode_raw(entry.get())) == version.after_mode &&
           to_hex(*git_tree_entry_id(entry.get())) == version.after_id;
  }

  std::vector<CommitChange> list(Found& found, const CommitTip& tip, const std::string& id) {
    const Differences net = differences_of(tip.base, id);
    const TreeHandle base = tree_of(tip.base);
    std::optional<Differences> other;  // than what the project has checked out
    std::vector<CommitChange> changes;
    for (auto& [version, change] : found) {
      if (const auto now = net.find(change.row.path); now != net.end()) {
        change.net = true;
        change.tip_mode = now->second.after_mode;
        change.tip_id = now->second.after_id;
        change.known = change.row.after_mode != 0 &&
                       change.row.after_mode == now->second.before_mode &&
                       change.row.after_id == now->second.before_id;
      } else {
        change.known = has(base, change.row);
      }
      const bool last = change.net && change.row.after_mode == change.tip_mode &&
                        change.row.after_id == change.tip_id;
      if (change.inherited && last) {
        if (!other) {
          other = tip.head == tip.base ? net : differences_of(tip.head, id);
        }
        change.inherited = other->count(change.row.path) == 0;
      }
      changes.push_back(std::move(change));
    }
    return changes;
  }

  [[nodiscard]] bool abbreviates(const std::string& name) const {
    git_oid id{};
    constexpr std::size_t kShortest = 4;  // of what git takes for an abbreviation
    if (name.size() < kShortest || name.size() > GIT_OID_HEXSZ ||
        name.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos ||
        git_oid_fromstrn(&id, name.data(), name.size()) < 0) {
      return false;
    }
    git_oid found{};
    return git_odb_exists_prefix(&found, odb_.get(), &id, name.size()) != GIT_ENOTFOUND;
  }

  OdbHandle odb_;
  RepositoryHandle repository_;
  CommitWalk walk_;
  std::vector<std::string> known_;
};

std::string to_wire(const std::vector<CommitChanges>& all) {
  WireWriter out;
  for (const CommitChanges& one : all) {
    out.text(one.fault);
    out.text(one.elsewhere);
    out.number(one.abbreviates ? 1 : 0);
    out.number(one.changes.size());
    for (const CommitChange& change : one.changes) {
      put(out, change.row);
      out.number((change.in_git_dir ? 1U : 0U) + (change.text ? 2U : 0U) + (change.net ? 4U : 0U) +
                 (change.inherited ? 8U : 0U) + (change.known ? 16U : 0U));
      out.text(change.text.value_or(""));
      out.number(change.tip_mode);
      out.text(change.tip_id);
    }
  }
  return out.take();
}

std::optional<std::vector<CommitChanges>> from_wire(const std::string& bytes, std::size_t count) {
  WireReader in{bytes};
  std::vector<CommitChanges> all(count);
  for (CommitChanges& one : all) {
    one.fault = in.text();
    one.elsewhere = in.text();
    one.abbreviates = in.number() != 0;
    for (std::uint64_t left = in.number(); in.ok() && left > 0; --left) {
      CommitChange change;
      change.row = take_difference(in);
      const std::uint64_t flags = in.number();
      change.in_git_dir = (flags & 1U) != 0;
      std::string text = in.text();
      change.text = (flags & 2U) != 0 ? std::optional{std::move(text)} : std::nullopt;
      change.net = (flags & 4U) != 0;
      change.inherited = (flags & 8U) != 0;
      change.known = (flags & 16U) != 0;
      change.tip_mode = static_cast<unsigned>(in.number());
      change.tip_id = in.text();
      one.changes.push_back(std::move(change));
    }
  }
  return in.done() ? std::optional{std::move(all)} : std::nullopt;
}

std::string blob_of(git_odb* odb, unsigned mode, const std::string& id, std::size_t& room) {
  if (mode == 0) {
    return {};
  }
  if (mode == kModuleMode) {
    return "Subproject commit " + id + "\n";
  }
  const ObjectHandle object = read_object(odb, to_oid(id));
  const std::string_view bytes = bytes_of(object);
  if (bytes.size() > room) {
    throw Error{"cannot show the commit: its files are too large"};
  }
  room -= bytes.size();
  return std::string{bytes};
}

// In the child.
std::string read_files(const GitDirs& dirs, const sys::Fd& upper, const std::string& id) {
  const OdbHandle odb = open_objects(dirs, upper);
  std::vector<CommitDifference> rows = changes_of_commit(odb.get(), id).rows;
  // A merge is reported against its first parent, whose rows come first.
  const auto again = std::adjacent_find(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return b.row.path <= a.row.path;
  });
  rows.erase(again == rows.end() ? again : again + 1, rows.end());
  std::size_t room = kMostShown;
  WireWriter out;
  out.number(rows.size());
  for (const CommitDifference& one : rows) {
    put(out, one.row);
    out.text(blob_of(odb.get(), one.row.before_mode, one.row.before_id, room));
    out.text(blob_of(odb.get(), one.row.after_mode, one.row.after_id, room));
  }
  return out.take();
}

}  // namespace

std::vector<CommitChanges> commit_changes(const GitDirs& dirs, const std::vector<CommitTip>& tips) {
  std::optional<std::string> answer;
  try {
    const sys::Fd upper = open_upper_objects(dirs);
    answer = run_confined(
        [&] {
          git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);  // each object is read once or twice
          CommitCollector collector{dirs, upper};
          std::vector<CommitChanges> all;
          all.reserve(tips.size());
          for (const CommitTip& tip : tips) {
            all.push_back(collector.collect(tip));
          }
          return to_wire(all);
        },
        kToRead);
  } catch (const Error&) {
    answer.reset();
  }
  auto all = answer ? from_wire(*answer, tips.size()) : std::nullopt;
  if (!all) {
    all.emplace(tips.size());
    for (CommitChanges& one : *all) {
      one.fault = "its commits cannot be read";
    }
  }
  return *std::move(all);
}

std::vector<CommitFile> commit_files(const GitDirs& dirs, const std::string& id) {
  const sys::Fd upper = open_upper_objects(dirs);
  const auto answer = run_confined([&] { return read_files(dirs, upper, id); }, kToRead);
  WireReader in{answer ? std::string_view{*answer} : std::string_view{}};
  std::vector<CommitFile> files;
  for (std::uint64_t left = in.number(); in.ok() && left > 0; --left) {
    CommitFile file;
    file.row = take_difference(in);
    file.before = in.text();
    file.after = in.text();
    files.push_back(std::move(file));
  }
  if (!answer || !in.done()) {
    throw Error{"cannot show the commit " + id + ": it cannot be read, or is too large"};
  }
  return files;
}

std::vector<std::string> blob_texts(const GitDirs& dirs, const std::vector<std::string>& ids) {
  const sys::Fd upper = open_upper_objects(dirs);
  const auto answer = run_confined(
      [&] {
        const OdbHandle odb = open_objects(dirs, upper);
        std::size_t room = kMostShown;
        WireWriter out;
        for (const std::string& id : ids) {
          out.text(blob_of(odb.get(), kFileMode, id, room));
        }
        return out.take();
      },
      kToRead);
  WireReader in{answer ? std::string_view{*answer} : std::string_view{}};
  std::vector<std::string> texts;
  for (std::size_t i = 0; answer && i < ids.size(); ++i) {
    texts.push_back(in.text());
  }
  return in.done() ? texts : std::vector<std::string>{};
}

std::string object_text(const GitDirs& dirs, const std::string& id) {
  const sys::Fd upper = open_upper_objects(dirs);
  const auto answer = run_confined(
      [&] {
        const OdbHandle odb = open_objects(dirs, upper);
        const ObjectHandle object = read_object(odb.get(), to_oid(id));
        const git_object_t type = git_odb_object_type(object.get());
        const std::string_view text = bytes_of(object);
        const bool has_text = type == GIT_OBJECT_COMMIT || type == GIT_OBJECT_TAG;
        return has_text && text.size() <= kMostShown ? "1" + std::string{text} : std::string{"0"};
      },
      kToRead);
  if (!answer || !answer->starts_with('1')) {
    throw Error{"cannot show " + id + ": it cannot be read, or is too large"};
  }
  return answer->substr(1);
}

}  // namespace shadow::git
