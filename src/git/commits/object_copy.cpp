// SPDX-License-Identifier: MIT
#include "git/commits/object_copy.hpp"

#include "shadow/error.hpp"

#include "base/wire.hpp"
#include "git/commits/commit_walk.hpp"
#include "git/objects/modules_rules.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/object_pack.hpp"
#include "git/objects/objects.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/git_refs.hpp"

#include <git2/sys/repository.h>

#include <set>
#include <string_view>
#include <utility>

namespace shadow::git {
namespace {

constexpr std::size_t kMostObjects = 2'000'000;

// The form of an object is not what git writes.
class Fault : public Error {
 public:
  using Error::Error;
};

// Walks from a tip to what the real repository has, children first.
class Copier {
 public:
  Copier(git_odb* real, git_odb* all, git_odb* staged, ReuseStaged reuse)
      : real_{real}, all_{all}, staged_{staged}, reuse_{reuse} {}

  void copy(const git_oid& tip) {
    stack_.push_back({{tip, GIT_OBJECT_ANY, false}, false});
    while (!stack_.empty()) {
      const Frame frame = stack_.back();
      stack_.pop_back();
      if (frame.opened) {
        found_.push_back(frame.link.id);
      } else if (seen_.insert(frame.link.id).second) {
        open(frame.link);
      }
    }
  }

  // Writes what was found, one file for each or all in one, as git does with what it fetches
  // (fetch.unpackLimit). Returns the ids, or the pack's name.
  std::vector<std::string> write(const std::string& staging) const {
    constexpr std::size_t kMostLoose = 100;
    std::vector<std::string> names;
    if (found_.size() > kMostLoose) {
      names.push_back(write_pack(all_, found_, staging));
      return names;
    }
    for (const git_oid& id : found_) {
      write_loose(id);
      names.push_back(to_hex(id));
    }
    return names;
  }

 private:
  struct Frame {
    Link link;
    bool opened = false;  // what it refers to has been dealt with
  };

  // True if the real repository has the object, or another branch brings it, with everything that
  // it refers to. A packed object of another kind than its referrer expects would be a broken link.
  bool is_there(const Link& link) {
    return is_in(real_, link) || (reuse_ == ReuseStaged::Yes && is_in(staged_, link));
  }

  static bool is_in(git_odb* odb, const Link& link) {
    if (git_odb_exists_ext(odb, &link.id, GIT_ODB_LOOKUP_NO_REFRESH) != 1) {
      return false;
    }
    if (link.type != GIT_OBJECT_ANY) {
      std::size_t size = 0;
      git_object_t type = GIT_OBJECT_INVALID;
      check(git_odb_read_header(&size, &type, odb, &link.id), "read an object");
      if (type != link.type) {
        throw Fault{"an object is not of the kind that another says"};
      }
    }
    return true;
  }

  void open(const Link& link) {
    if (is_there(link)) {
      return;
    }
    if (seen_.size() > kMostObjects) {
      throw Fault{"there are too many objects"};
    }
    const ObjectHandle object = read(link.id);
    const git_object_t type = git_odb_object_type(object.get());
    if (link.type != GIT_OBJECT_ANY && type != link.type) {
      throw Fault{"an object is not of the kind that another says"};
    }
    if (type == GIT_OBJECT_BLOB) {
      found_.push_back(link.id);
      return;
    }
    const Checked checked = check_object(type, bytes_of(object));
    if (!checked.fault.empty()) {
      throw Fault{checked.fault};
    }
    stack_.push_back({link, true});
    for (const Link& next : checked.links) {
      if (next.modules) {
        check_modules_of(next.id);
      }
      stack_.push_back({next, false});
    }
  }

  void check_modules_of(const git_oid& id) {
    const ObjectHandle text = read(id);
    if (const RuleText* rule = check_modules(bytes_of(text))) {
      throw Fault{std::string{rule->fault}};
    }
  }

  ObjectHandle read(const git_oid& id) const {
    git_odb_object* raw = nullptr;
    const int result = git_odb_read(&raw, all_, &id);
    if (result == GIT_EMISMATCH) {
      throw Fault{"an object is not what its name says"};
    }
    if (result < 0) {
      throw Fault{"an object of its history is missing or damaged"};
    }
    return ObjectHandle{raw};
  }

  void write_loose(const git_oid& id) const {
    const ObjectHandle object = read(id);
    git_oid written{};
    check(git_odb_write(&written, staged_, git_odb_object_data(object.get()),
                        git_odb_object_size(object.get()), git_odb_object_type(object.get())),
          "write an object");
    if (git_oid_equal(&written, &id) != 1) {
      throw Fault{"an object is not what its name says"};
    }
  }

  git_odb* real_;
  git_odb* all_;
  git_odb* staged_;
  ReuseStaged reuse_;
  std::vector<Frame> stack_;
  std::set<git_oid, OidLess> seen_;
  std::vector<git_oid> found_;  // each after what it refers to
};

std::string pack_staged(const StagedBranch& staged) {
  WireWriter out;
  out.text(staged.fault);
  out.number(staged.fast_forward ? 1 : 0);
  out.number(staged.objects.size());
  for (const std::string& id : staged.objects) {
    out.text(id);
  }
  out.number(staged.differences.size());
  for (const TreeDifference& row : staged.differences) {
    put(out, row);
  }
  return out.take();
}

StagedBranch unpack_staged(const std::optional<std::string>& bytes) {
  StagedBranch staged;
  WireReader in{bytes ? std::string_view{*bytes} : std::string_view{}};
  staged.fault = in.text();
  staged.fast_forward = in.number() != 0;
  for (std::uint64_t count = in.number(); in.ok() && count > 0; --count) {
    staged.objects.push_back(in.text());
  }
  for (std::uint64_t count = in.number(); in.ok() && count > 0; --count) {
    staged.differences.push_back(take_difference(in));
  }
  if (!in.done()) {
    staged = {};
    staged.fault = "its objects cannot be read";
  }
  return staged;
}

bool is_commit(git_odb* odb, const git_oid& id) {
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  return git_odb_read_header(&size, &type, odb, &id) == 0 && type == GIT_OBJECT_COMMIT;
}

bool is_ancestor(const GitDirs& dirs, git_odb* odb, const std::string& from,
                 const std::string& to) {
  const auto repository = make<RepositoryHandle>("open objects", git_repository_wrap_odb, odb);
  CommitWalk walk{repository.get(), shallow_commits(dirs)};
  return walk.is_ancestor(from, to);
}

// "" when the two have no common past.
std::string where_parted(git_odb* odb, const std::string& one, const std::string& other) {
  const auto repository = make<RepositoryHandle>("open objects", git_repository_wrap_odb, odb);
  const git_oid first = to_oid(one);
  const git_oid second = to_oid(other);
  git_oid base{};
  const int result = git_merge_base(&base, repository.get(), &first, &second);
  if (result == GIT_ENOTFOUND) {
    return {};
  }
  check(result, "compare histories");
  return to_hex(base);
}

// In the child.
StagedBranch copy_branch(const GitDirs& dirs, const sys::Fd& upper, const std::string& tip,
                         const std::optional<std::string>& base, const std::string& staging,
                         ReuseStaged reuse, ComparedFrom from) {
  StagedBranch result;
  git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);  // each object is read once or twice
  const OdbHandle real = open_real_objects(dirs);
  const OdbHandle all = open_objects(dirs, upper);
  const OdbHandle staged = open_staged_objects(staging);
  try {
    Copier copier{real.get(), all.get(), staged.get(), reuse};
    const git_oid id = to_oid(tip);
    copier.copy(id);
    result.objects = copier.write(staging);
    if (base) {
      if (!is_commit(all.get(), id)) {
        throw Fault{"it names no commit"};
      }
      result.fast_forward = base->empty() || is_ancestor(dirs, all.get(), *base, tip);
      const bool at_base = result.fast_forward || from == ComparedFrom::Base;
      result.differences =
          difference(all.get(), at_base ? *base : where_parted(all.get(), *base, tip), tip);
    }
  } catch (const Fault& fault) {
    result = {};
    result.fault = fault.what();
  }
  return result;
}

// Those of `ids` with a '1' at their place.
std::vector<std::string> marked(const std::vector<std::string>& ids, std::string_view marks) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < ids.size() && i < marks.size(); ++i) {
    if (marks[i] == '1') {
      found.push_back(ids[i]);
    }
  }
  return found;
}

// The session's objects, if there are any; nullopt where something in them is no file.
std::optional<sys::Fd> open_upper(const GitDirs& dirs) {
  sys::Fd upper =
      sys::try_open_at(AT_FDCWD, dirs.upper_objects, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return upper && !holds_only_files(upper.get()) ? std::nullopt : std::optional{std::move(upper)};
}

StagedBranch no_files() {
  StagedBranch refused;
  refused.fault = "something in the session's objects is no file";
  return refused;
}

}  // namespace

StagedBranch stage_branch(const GitDirs& dirs, const std::string& tip,
                          const std::optional<std::string>& base, const std::string& staging,
                          ReuseStaged reuse, ComparedFrom from) {
  start_libgit2();
  const std::optional<sys::Fd> upper = open_upper(dirs);
  if (!upper) {
    return no_files();
  }
  return unpack_staged(run_confined(
      [&] { return pack_staged(copy_branch(dirs, *upper, tip, base, staging, reuse, from)); },
      kToCopy));
}

StagedBranch compare_in_session(const GitDirs& dirs, const std::string& before,
                                const std::string& after, ComparedFrom from) {
  start_libgit2();
  const std::optional<sys::Fd> upper = open_upper(dirs);
  if (!upper) {
    return no_files();
  }
  return unpack_staged(run_confined(
      [&] {
        StagedBranch result;
        const OdbHandle all = open_objects(dirs, *upper);
        const bool parted = from == ComparedFrom::WhereParted && !before.empty();
        result.differences =
            difference(all.get(), parted ? where_parted(all.get(), before, after) : before, after);
        return pack_staged(result);
      },
      kToCopy));
}

StagedBranch compare_commits(const GitDirs& dirs, const std::string& before,
                             const std::string& after) {
  start_libgit2();
  return unpack_staged(run_confined(
      [&] {
        StagedBranch result;
        const OdbHandle real = open_real_objects(dirs);
        result.differences = difference(real.get(), before, after);
        return pack_staged(result);
      },
      kToCopy));
}

bool is_real_ancestor(const GitDirs& dirs, const std::string& from, const std::string& to) {
  start_libgit2();
  const auto answer = run_confined([&] {
    const OdbHandle real = open_real_objects(dirs);
    return std::string{is_ancestor(dirs, real.get(), from, to) ? "yes" : "no"};
  });
  return answer == "yes";
}

std::vector<std::string> reached_by_branches(const GitDirs& dirs,
                                             const std::vector<std::string>& ids) {
  start_libgit2();
  const std::vector<std::string> branches =
      read_refs(disk_reader(dirs.real_git_dir)).branch_commits();
  const auto answer = run_confined([&] {
    const OdbHandle real = open_real_objects(dirs);
    const auto repository =
        make<RepositoryHandle>("open objects", git_repository_wrap_odb, real.get());
    CommitWalk walk{repository.get(), shallow_commits(dirs)};
    std::string reached;
    for (const std::string& id : ids) {
      const auto news = walk.news(id, branches, 1);
      reached += news.commits.empty() && !news.more ? '1' : '0';
    }
    return reached;
  });
  return marked(ids, answer.value_or(""));
}

std::vector<std::string> only_in_tip(const GitDirs& dirs, const std::vector<std::string>& ids,
                                     const std::string& tip, const std::string& base) {
  start_libgit2();
  const std::optional<sys::Fd> upper = open_upper(dirs);
  if (!upper) {
    return ids;
  }
  const auto answer = run_confined([&] {
    const OdbHandle all = open_objects(dirs, *upper);
    const auto repository =
        make<RepositoryHandle>("open objects", git_repository_wrap_odb, all.get());
    CommitWalk walk{repository.get(), shallow_commits(dirs)};
    std::string only;
    for (const std::string& id : ids) {
      only += walk.is_ancestor(id, tip) && !walk.is_ancestor(id, base) ? '1' : '0';
    }
    return only;
  });
  return answer && answer->size() == ids.size() ? marked(ids, *answer) : ids;
}

std::vector<std::string> real_objects(const GitDirs& dirs, const std::vector<std::string>& ids) {
  start_libgit2();
  const OdbHandle real = open_real_objects(dirs);
  std::vector<std::string> found;
  for (const std::string& id : ids) {
    const git_oid oid = to_oid(id);
    if (git_odb_exists_ext(real.get(), &oid, GIT_ODB_LOOKUP_NO_REFRESH) == 1) {
      found.push_back(id);
    }
  }
  return found;
}

}  // namespace shadow::git
