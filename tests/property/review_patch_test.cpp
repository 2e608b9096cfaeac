// SPDX-License-Identifier: MIT
#include "shadow/patch.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "support/chance.hpp"
#include "support/git_tree.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"
#include "support/text.hpp"
#include "sys/files/fd.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>

using shadow::test::Chance;
using shadow::test::edited_text;
using shadow::test::first_seed;
using shadow::test::GitNode;
using shadow::test::GitTree;
using shadow::test::Outcome;
using shadow::test::random_text;
using shadow::test::read_git_tree;
using shadow::test::rounds;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_git_tree;

namespace {

// "d" and "d/..." both occur, so that files become directories and back.
constexpr std::array kNames{
    "a",         "a b",       "d",        "d/x",         "d/y/z",    "-dash",
    "new\nline", "tab\there", "quote\"d", "back\\slash", "\xff\xfe", "\xc3\xa4/\xc3\xb6",
    ":,\\",      " lead",     "trail ",   "e/f g/h",     "e/i",      "--- a",
    "e/f g/i",   "p.txt",     "q/p.txt",  "r/s/p.txt",   "*",        "[a]"};

bool fits(const GitTree& tree, const std::string& path) {
  for (const auto& [other, node] : tree) {
    if (other == path || other.rfind(path + '/', 0) == 0 || path.rfind(other + '/', 0) == 0) {
      return false;
    }
  }
  return true;
}

GitNode random_node(Chance& chance) {
  GitNode node;
  switch (chance.below(8)) {
    case 0:
      return {GitNode::Kind::Link,
              chance.any(std::array{"target", "../up", "no\nwhere", "/abs\xff"})};
    case 1:
      node.bytes = random_text(chance, 10) + std::string{"\0\1\2", 3} + random_text(chance, 50);
      break;
    case 2:
      break;  // empty
    default:
      node.bytes = random_text(chance, 40);
      break;
  }
  if (chance.one_in(4)) {
    node.kind = GitNode::Kind::Program;
  }
  return node;
}

GitTree random_tree(Chance& chance) {
  GitTree tree;
  for (std::size_t i = chance.below(14); i > 0; --i) {
    const std::string path = chance.any(kNames);
    if (fits(tree, path)) {
      tree[path] = random_node(chance);
    }
  }
  return tree;
}

GitTree changed_tree(Chance& chance, const GitTree& before) {
  GitTree after;
  for (const auto& [path, node] : before) {
    std::string to = path;
    GitNode changed = node;
    switch (chance.below(7)) {
      case 0:
        continue;
      case 1:
        to = chance.any(kNames);
        break;
      case 2:
        to = chance.any(kNames);
        changed.bytes =
            node.kind == GitNode::Kind::Link ? "moved" : edited_text(chance, node.bytes);
        break;
      case 3:
        changed.bytes =
            node.kind == GitNode::Kind::Link ? "other" : edited_text(chance, node.bytes);
        break;
      case 4:
        if (node.kind != GitNode::Kind::Link) {
          changed.kind =
              node.kind == GitNode::Kind::File ? GitNode::Kind::Program : GitNode::Kind::File;
        }
        break;
      case 5:
        changed = random_node(chance);
        break;
      default:
        break;
    }
    if (fits(after, to)) {
      after[to] = changed;
    }
  }
  for (std::size_t i = chance.below(5); i > 0; --i) {
    const std::string path = chance.any(kNames);
    if (fits(after, path)) {
      after[path] = random_node(chance);
    }
  }
  return after;
}

std::string patch_of(const std::vector<shadow::PatchFile>& files,
                     const shadow::PatchOptions& options) {
  std::string patch;
  shadow::write_patch(files, options, [&](shadow::PatchPart part, std::string_view bytes) {
    CHECK(!bytes.empty());
    CHECK(bytes.back() == '\n');
    if (part != shadow::PatchPart::Binary) {
      CHECK(bytes.find('\n') == bytes.size() - 1);
    }
    patch += bytes;
  });
  return patch;
}

struct Counts {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  bool operator==(const Counts&) const = default;
};

// "ADDED\tREMOVED\tPATH\0" of each file, "-" for binary ones.
Counts numbers_of(const std::string& numstat) {
  Counts sum;
  for (const std::string& record : shadow::split(numstat, '\0')) {
    const auto fields = shadow::split(record, '\t');
    if (fields.size() >= 3) {
      sum.added += std::strtoull(fields[0].c_str(), nullptr, 10);
      sum.removed += std::strtoull(fields[1].c_str(), nullptr, 10);
    }
  }
  return sum;
}

void try_pair(Chance& chance, shadow::Renames renames) {
  const GitTree before = random_tree(chance);
  const GitTree after = changed_tree(chance, before);
  const Scratch scratch;
  write_git_tree(scratch / "before", before);
  write_git_tree(scratch / "after", after);
  write_git_tree(scratch / "work", before);
  const auto before_dir = shadow::sys::open_path(scratch / "before", O_RDONLY | O_DIRECTORY);
  const auto after_dir = shadow::sys::open_path(scratch / "after", O_RDONLY | O_DIRECTORY);

  std::set<std::string> paths;
  for (const GitTree* tree : {&before, &after}) {
    for (const auto& [path, node] : *tree) {
      paths.insert(path);
    }
  }
  std::vector<shadow::PatchFile> files;
  for (const std::string& path : paths) {
    shadow::PatchFile file;
    file.path = path;
    file.before = shadow::overlay::look_beneath(before_dir.get(), path);
    file.after = shadow::overlay::look_beneath(after_dir.get(), path);
    file.before_content = {before_dir.get(), path, {}};
    file.after_content = {after_dir.get(), path, {}};
    if (before.count(path) == 0 || after.count(path) == 0 || !(before.at(path) == after.at(path))) {
      files.push_back(file);
    }
  }
  shadow::PatchOptions options;
  options.renames = renames;
  options.binary = true;
  options.context_lines = static_cast<unsigned>(chance.below(5)) + 1;
  const std::string patch = patch_of(files, options);
  CAPTURE(patch);
  if (patch.empty()) {
    CHECK(before == after);
    return;
  }
  const Outcome applied = run({"git", "apply", "--whitespace=nowarn"}, scratch / "work", patch);
  CHECK(applied.err == "");
  REQUIRE(applied.status == 0);
  CHECK(read_git_tree(scratch / "work") == after);

  const auto rows = shadow::summarize(files, options, shadow::CountLines::Yes);
  CHECK(rows.size() == shadow::summarize(files, options, shadow::CountLines::No).size());
  const Outcome counted = run({"git", "apply", "--numstat", "-z"}, scratch / "before", patch);
  Counts ours;
  for (const auto& row : rows) {
    ours.added += row.added;
    ours.removed += row.removed;
  }
  CHECK(ours == numbers_of(counted.out));
}

}  // namespace

TEST_SUITE("property/review_patch") {
  TEST_CASE("git apply makes the after tree of the before tree and the patch") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(150); seed < end; ++seed) {
      CAPTURE(seed);
      for (const auto mode :
           {shadow::Renames::Off, shadow::Renames::Exact, shadow::Renames::Similar}) {
        CAPTURE(static_cast<int>(mode));
        Chance chance{seed};
        try_pair(chance, mode);
      }
    }
  }
}
