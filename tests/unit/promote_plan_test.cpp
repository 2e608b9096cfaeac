// SPDX-License-Identifier: MIT
#include "shadow/apply.hpp"

#include "support/trees.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using shadow::Change;
using shadow::ChangeKind;
using shadow::EntryKind;

namespace {

Change change(const std::string& path, ChangeKind kind, EntryKind before, EntryKind after) {
  Change made;
  made.path = path;
  made.kind = kind;
  made.before.kind = before;
  made.after.kind = after;
  return made;
}

std::vector<std::string> in_words(const std::vector<Change>& changes) {
  std::vector<std::string> words;
  for (const shadow::Step& step : shadow::test::plan_apply(changes).steps) {
    words.push_back(std::string{to_word(step.action)} + ' ' + step.path);
  }
  return words;
}

}  // namespace

TEST_SUITE("promote/plan") {
  TEST_CASE("deletions come first and from below, creations after and from above") {
    Change modified = change("a", ChangeKind::Modified, EntryKind::Directory, EntryKind::Directory);
    Change linked = change("b", ChangeKind::Added, EntryKind::Absent, EntryKind::File);
    linked.link_to = "n/f";
    CHECK(in_words({modified, linked,
                    change("d", ChangeKind::Deleted, EntryKind::Directory, EntryKind::Absent),
                    change("d/x", ChangeKind::Deleted, EntryKind::File, EntryKind::Absent),
                    change("n", ChangeKind::Added, EntryKind::Absent, EntryKind::Directory),
                    change("n/f", ChangeKind::Added, EntryKind::Absent, EntryKind::File),
                    change("n/l", ChangeKind::Added, EntryKind::Absent, EntryKind::Symlink)}) ==
          std::vector<std::string>{"delete d/x", "remove directory d", "make directory n",
                                   "write n/f", "write link n/l", "hard link b",
                                   "set attributes a"});
  }

  TEST_CASE("from and to a directory takes two steps, between other types one") {
    CHECK(in_words({change("a", ChangeKind::TypeChanged, EntryKind::File, EntryKind::Directory),
                    change("a/x", ChangeKind::Added, EntryKind::Absent, EntryKind::Fifo),
                    change("b", ChangeKind::TypeChanged, EntryKind::Directory, EntryKind::File),
                    change("b/x", ChangeKind::Deleted, EntryKind::Symlink, EntryKind::Absent),
                    change("c", ChangeKind::TypeChanged, EntryKind::File, EntryKind::Symlink)}) ==
          std::vector<std::string>{"delete b/x", "remove directory b", "delete a",
                                   "make directory a", "write link a/x", "write b",
                                   "write link c"});
  }

  TEST_CASE("a change of mode alone leaves the content") {
    Change mode = change("f", ChangeKind::Modified, EntryKind::File, EntryKind::File);
    mode.mode_changed = true;
    CHECK(in_words({mode}) == std::vector<std::string>{"set attributes f"});
    mode.content_changed = true;
    CHECK(in_words({mode}) == std::vector<std::string>{"write f"});
  }

  TEST_CASE("a change of mode replaces a file with other names, which keep theirs") {
    Change mode = change("f", ChangeKind::Modified, EntryKind::File, EntryKind::File);
    mode.mode_changed = true;
    mode.before.nlink = 2;
    CHECK(in_words({mode}) == std::vector<std::string>{"write f"});
  }

  TEST_CASE("a device node is not brought in, and one that went is deleted") {
    CHECK(in_words({change("d", ChangeKind::Added, EntryKind::Absent, EntryKind::Device),
                    change("e", ChangeKind::TypeChanged, EntryKind::File, EntryKind::Device),
                    change("f", ChangeKind::Deleted, EntryKind::Device, EntryKind::Absent)}) ==
          std::vector<std::string>{"delete f"});
  }
}
