// SPDX-License-Identifier: MIT
#include "git/commits/index_edit.hpp"

#include "shadow/error.hpp"

#include "base/wire.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/handle.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/fd.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace shadow::git {
namespace {

using IndexHandle = Handle<git_index, git_index_free>;

bool is_plain(const git_index_entry& entry) {
  constexpr unsigned kMarks = GIT_INDEX_ENTRY_INTENT_TO_ADD | GIT_INDEX_ENTRY_SKIP_WORKTREE;
  return (entry.flags & (GIT_INDEX_ENTRY_VALID | GIT_INDEX_ENTRY_STAGEMASK)) == 0 &&
         (entry.flags_extended & kMarks) == 0;
}

bool is_entry(const git_index_entry* entry, unsigned mode, const std::string& id) {
  if (entry == nullptr || mode == 0) {
    return entry == nullptr && mode == 0;
  }
  return is_plain(*entry) && entry->mode == mode && to_hex(entry->id) == id;
}

// True if nothing is in the way of an entry: a conflict, a file above it or, for a new entry,
// something below it.
bool has_room(git_index* index, const TreeDifference& row) {
  for (int stage = 1; stage <= 3; ++stage) {
    if (git_index_get_bypath(index, row.path.c_str(), stage) != nullptr) {
      return false;
    }
  }
  if (row.after_mode == 0) {
    return true;
  }
  std::size_t at = 0;
  if (git_index_find_prefix(&at, index, (row.path + "/").c_str()) == 0) {
    return false;
  }
  for (std::string_view above = sys::split_path(row.path).parent; !above.empty();
       above = sys::split_path(above).parent) {
    if (git_index_get_bypath(index, std::string{above}.c_str(), 0) != nullptr) {
      return false;
    }
  }
  return true;
}

void set_time(git_index_time& time, std::int64_t ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  time.seconds = static_cast<std::int32_t>(ns / kSecond);
  time.nanoseconds = static_cast<std::uint32_t>(ns % kSecond);
}

git_index_entry entry_of(const TreeDifference& row, const std::map<std::string, Entry>& clean) {
  git_index_entry entry{};
  entry.path = row.path.c_str();
  entry.mode = row.after_mode;
  entry.id = to_oid(row.after_id);
  if (const auto found = clean.find(row.path); found != clean.end()) {
    const Entry& file = found->second;
    set_time(entry.ctime, file.ctime_ns);
    set_time(entry.mtime, file.mtime_ns);
    entry.dev = static_cast<std::uint32_t>(file.dev);
    entry.ino = static_cast<std::uint32_t>(file.ino);
    entry.uid = file.uid;
    entry.gid = file.gid;
    entry.file_size = static_cast<std::uint32_t>(file.size);
  }
  return entry;
}

// git marks what lies outside of a sparse checkout, paths that a commit adds among them, by rules
// of its own.
bool is_sparse(git_index* index) {
  for (std::size_t at = 0; at < git_index_entrycount(index); ++at) {
    if ((git_index_get_byindex(index, at)->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0) {
      return true;
    }
  }
  return false;
}

// In the child.
IndexEdit edit(const std::string& file, const std::vector<TreeDifference>& differences,
               const std::map<std::string, Entry>& clean, StagedEntries staged) {
  IndexEdit result;
  git_index* raw = nullptr;
  const bool opened = git_index_open(&raw, file.c_str()) == 0;
  const IndexHandle index{raw};
  if (!opened || (staged == StagedEntries::StayAlone && is_sparse(raw))) {
    result.fault = "the project's index is of a kind that cannot be written (split or sparse)";
    return result;
  }
  std::vector<const TreeDifference*> todo;
  for (const TreeDifference& row : differences) {
    const git_index_entry* now = git_index_get_bypath(raw, row.path.c_str(), 0);
    if (is_entry(now, row.after_mode, row.after_id)) {
      continue;
    }
    if (!is_entry(now, row.before_mode, row.before_id)) {
      result.staged.push_back(row.path);
    } else {
      todo.push_back(&row);
    }
  }
  for (const TreeDifference* row : todo) {
    if (row->after_mode == 0) {
      check(git_index_remove(raw, row->path.c_str(), 0), "edit the index");
    }
  }
  for (const TreeDifference* row : todo) {
    if (!has_room(raw, *row)) {
      result.staged.push_back(row->path);
    } else if (row->after_mode != 0) {
      const git_index_entry entry = entry_of(*row, clean);
      check(git_index_add(raw, &entry), "edit the index");
    }
  }
  if (staged == StagedEntries::StayAlone ? !todo.empty() : result.ok()) {
    check(git_index_write(raw), "write the index");
    result.written = true;
  }
  return result;
}

std::string pack_edit(const IndexEdit& edited) {
  WireWriter out;
  out.text(edited.fault);
  out.number(edited.written ? 1 : 0);
  out.number(edited.staged.size());
  for (const std::string& path : edited.staged) {
    out.text(path);
  }
  return out.take();
}

bool same(git_index* a, git_index* b) {
  const std::size_t count = git_index_entrycount(a);
  if (git_index_entrycount(b) != count) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const git_index_entry* one = git_index_get_byindex(a, i);
    const git_index_entry* two = git_index_get_byindex(b, i);
    if (std::string_view{one->path} != two->path || one->mode != two->mode ||
        git_oid_equal(&one->id, &two->id) != 1 || is_plain(*one) != is_plain(*two) ||
        GIT_INDEX_ENTRY_STAGE(one) != GIT_INDEX_ENTRY_STAGE(two)) {
      return false;
    }
  }
  return true;
}

}  // namespace

IndexEdit edit_index(const std::string& file, const std::vector<TreeDifference>& differences,
                     const std::map<std::string, Entry>& clean, StagedEntries staged) {
  start_libgit2();
  const auto bytes =
      run_confined([&] { return pack_edit(edit(file, differences, clean, staged)); }, kToRead);
  IndexEdit result;
  WireReader in{bytes ? std::string_view{*bytes} : std::string_view{}};
  result.fault = in.text();
  result.written = in.number() != 0;
  for (std::uint64_t count = in.number(); in.ok() && count > 0; --count) {
    result.staged.push_back(in.text());
  }
  if (!in.done()) {
    result = {};
    result.fault = "the project's index cannot be written";
  }
  return result;
}

bool same_entries(const std::string& a, const std::string& b) {
  start_libgit2();
  const auto answer = run_confined(
      [&] {
        const auto one = make<IndexHandle>("open the index", git_index_open, a.c_str());
        const auto two = make<IndexHandle>("open the index", git_index_open, b.c_str());
        return std::string{same(one.get(), two.get()) ? "same" : "other"};
      },
      kToRead);
  return answer == "same";
}

std::string blob_id(int fd) {
  start_libgit2();
  git_oid id{};
  const std::string path = sys::proc_path(fd);
  check(git_odb_hashfile(&id, path.c_str(), GIT_OBJECT_BLOB), "read a file");
  return to_hex(id);
}

std::string blob_id(std::string_view text) {
  start_libgit2();
  git_oid id{};
  check(git_odb_hash(&id, text.data(), text.size(), GIT_OBJECT_BLOB), "read a link");
  return to_hex(id);
}

}  // namespace shadow::git
