// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/patch.hpp"

#include "overlay/format/look.hpp"
#include "support/scratch.hpp"
#include "sys/files/fd.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using shadow::CountLines;
using shadow::EntryKind;
using shadow::PatchFile;
using shadow::PatchOptions;
using shadow::PatchPart;
using shadow::Renames;
using shadow::test::Scratch;
using shadow::test::write_file;

namespace {

shadow::Entry file_entry(std::size_t size, std::uint32_t mode = 0644) {
  shadow::Entry entry;
  entry.kind = EntryKind::File;
  entry.mode = mode;
  entry.size = size;
  return entry;
}

shadow::Entry link_entry(const std::string& target) {
  shadow::Entry entry;
  entry.kind = EntryKind::Symlink;
  entry.mode = 0777;
  entry.target = target;
  return entry;
}

PatchFile change(const std::string& path, const std::string* before, const std::string* after) {
  PatchFile file;
  file.path = path;
  if (before != nullptr) {
    file.before = file_entry(before->size());
    file.before_content.bytes = *before;
  }
  if (after != nullptr) {
    file.after = file_entry(after->size());
    file.after_content.bytes = *after;
  }
  return file;
}

PatchFile changed(const std::string& path, const std::string& before, const std::string& after) {
  return change(path, &before, &after);
}
PatchFile created(const std::string& path, const std::string& after) {
  return change(path, nullptr, &after);
}
PatchFile deleted(const std::string& path, const std::string& before) {
  return change(path, &before, nullptr);
}

std::string patch_of(const std::vector<PatchFile>& files, const PatchOptions& options = {}) {
  std::string text;
  shadow::write_patch(files, options, [&](PatchPart, std::string_view piece) { text += piece; });
  return text;
}

}  // namespace

TEST_SUITE("review/patch") {
  TEST_CASE("a modified file is printed as git prints it") {
    CHECK(patch_of({changed("a b", "one\ntwo\n", "one\n2")}) ==
          "diff --git a/a b b/a b\n"
          "index 814f4a4..4ed8796 100644\n"
          "--- a/a b\t\n"
          "+++ b/a b\t\n"
          "@@ -1,2 +1,2 @@\n"
          " one\n"
          "-two\n"
          "+2\n"
          "\\ No newline at end of file\n");
  }

  TEST_CASE("names that would break a line are quoted, bytes of contents are not") {
    const std::string text = patch_of({created("new\nline\xff", "\x1b[31m\xff\n")});
    CHECK(text.find("+++ \"b/new\\nline\\377\"\n") != std::string::npos);
    CHECK(text.find("+\x1b[31m\xff\n") != std::string::npos);
  }

  TEST_CASE("a change of type is a deletion and then a creation") {
    PatchFile file = deleted("x", "content\n");
    file.after = link_entry("target");
    const std::string text = patch_of({file});
    const auto gone = text.find("deleted file mode 100644\n");
    const auto made = text.find("new file mode 120000\n");
    CHECK(gone < made);
    CHECK(made != std::string::npos);
    const auto rows = shadow::summarize({file}, {}, CountLines::Yes);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].letter == 'T');
    CHECK(rows[0].added == 1);
    CHECK(rows[0].removed == 1);
  }

  TEST_CASE("a changed mode alone is printed without reading the contents") {
    PatchFile file;
    file.path = "x";
    file.before = file_entry(3, 0644);
    file.after = file_entry(3, 0755);
    file.content_changed = false;  // and there is no content to read
    CHECK(patch_of({file}) == "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n");
    CHECK(shadow::summarize({file}, {}, CountLines::No)[0].letter == 'M');
  }

  TEST_CASE("equal contents and modes make no patch") {
    CHECK(patch_of({changed("x", "same\n", "same\n")}).empty());
    CHECK(shadow::summarize({changed("x", "same\n", "same\n")}, {}, CountLines::Yes).empty());
  }

  TEST_CASE("an empty file has a header only") {
    CHECK(patch_of({created("x", "")}) ==
          "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n");
  }

  TEST_CASE("directories, FIFOs, sockets and devices count as absent") {
    for (const EntryKind kind :
         {EntryKind::Directory, EntryKind::Fifo, EntryKind::Socket, EntryKind::Device}) {
      PatchFile file = deleted("x", "content\n");
      file.after.kind = kind;
      CHECK(shadow::summarize({file}, {}, CountLines::Yes)[0].letter == 'D');
      file.before = {};
      CHECK(patch_of({file}).empty());
    }
  }

  TEST_CASE("binary contents are named, or given whole when asked for") {
    const std::string before{"a\0b\0", 4};
    const PatchFile file = changed("x", before, before + "c");
    CHECK(patch_of({file}).find("Binary files a/x and b/x differ\n") != std::string::npos);
    PatchOptions options;
    options.binary = true;
    CHECK(patch_of({file}, options).find("GIT binary patch\n") != std::string::npos);
    CHECK(shadow::summarize({file}, {}, CountLines::Yes)[0].binary);
  }

  TEST_CASE("a text in the place of a binary can be read") {
    const std::string binary{"a\0b\0", 4};
    const std::string patch = patch_of({changed("x", binary, "one\ntwo")});
    CHECK(patch.ends_with("Binary files a/x and b/x differ\n# b/x is text now:\n# +one\n# +two\n"));
    CHECK(patch_of({changed("x", "one\n", "")}).find("is text now") == std::string::npos);
    CHECK(patch_of({changed("x", binary, "")}).find("is text now") == std::string::npos);
    PatchOptions options;
    options.binary = true;
    CHECK(patch_of({changed("x", binary, "one\n")}, options).find("is text now") ==
          std::string::npos);
  }

  TEST_CASE("files above the limit are binary and not read") {
    const Scratch scratch;
    write_file(scratch / "huge", "");
    REQUIRE(::truncate((scratch / "huge").c_str(), off_t{1} << 40) == 0);
    const auto root = shadow::sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    PatchFile file;
    file.path = "huge";
    file.after = shadow::overlay::look_at(root.get(), "huge");
    file.after_content = {root.get(), "huge", {}};
    CHECK(patch_of({file}) ==
          "diff --git a/huge b/huge\nnew file mode 100644\nBinary files /dev/null and b/huge "
          "differ\n");
    CHECK(shadow::summarize({file}, {}, CountLines::Yes)[0].binary);
    PatchFile moved = file;
    moved.path = "moved";
    moved.before = file.after;
    moved.before_content = file.after_content;
    moved.after = {};
    CHECK(shadow::summarize({file, moved}, {}, CountLines::No).size() == 2);
    PatchOptions options;
    options.binary = true;
    CHECK_THROWS_AS(patch_of({file}, options), shadow::Error);
  }

  TEST_CASE("of a large file that begins as a binary one no more than the beginning is read") {
    constexpr std::size_t kLarge = std::size_t{9} << 20U;
    const Scratch scratch;
    const auto root = shadow::sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    const auto patch = [&](const std::string& content, const PatchOptions& options = {}) {
      write_file(scratch / "large", content);
      PatchFile file;
      file.path = "large";
      file.after = shadow::overlay::look_at(root.get(), "large");
      file.after_content = {root.get(), "large", {}};
      CHECK(shadow::summarize({file}, {}, CountLines::Yes)[0].binary ==
            (content.find('\0') < 8000));
      return patch_of({file}, options);
    };
    std::string content(kLarge, '\n');
    content[7999] = '\0';
    const std::string header = "diff --git a/large b/large\nnew file mode 100644\n";
    CHECK(patch(content) == header + "Binary files /dev/null and b/large differ\n");
    PatchOptions whole;
    whole.binary = true;
    CHECK(patch(content, whole).find("GIT binary patch") != std::string::npos);
    content[7999] = '\n';
    content[8000] = '\0';  // git does not look so far
    CHECK(patch(content).find("@@ -0,0 +1,") != std::string::npos);
  }

  TEST_CASE("a file that is not what it was when it was looked at is stale") {
    const Scratch scratch;
    write_file(scratch / "x", "one\n");
    const auto root = shadow::sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    PatchFile file;
    file.path = "x";
    file.after = shadow::overlay::look_at(root.get(), "x");
    file.after_content = {root.get(), "x", {}};
    CHECK_NOTHROW(patch_of({file}));

    SUBCASE("rewritten in place") {
      write_file(scratch / "x", "two\n");
    }
    SUBCASE("replaced") {
      write_file(scratch / "y", "two\n");
      REQUIRE(::rename((scratch / "y").c_str(), (scratch / "x").c_str()) == 0);
    }
    SUBCASE("gone") {
      ::unlink((scratch / "x").c_str());
    }
    SUBCASE("a FIFO now") {
      ::unlink((scratch / "x").c_str());
      REQUIRE(::mkfifo((scratch / "x").c_str(), 0600) == 0);
    }
    SUBCASE("a symlink now") {
      REQUIRE(::rename((scratch / "x").c_str(), (scratch / "z").c_str()) == 0);
      REQUIRE(::symlink("z", (scratch / "x").c_str()) == 0);
    }
    SUBCASE("of another size than a kept base") {
      file.after.ino = 0, file.after.size = 3;
    }
    CHECK_THROWS_AS(patch_of({file}), shadow::StaleError);
  }

  TEST_CASE("paths that lead out are refused") {
    for (const char* path : {"", "/abs", "../up", "a/../b", "a//b", "dir/", "."}) {
      CHECK_THROWS_AS(patch_of({created(path, "x")}), shadow::Error);
    }
  }

  TEST_CASE("an exception of the receiver comes through") {
    CHECK_THROWS_AS(shadow::write_patch({changed("x", "a\n", "b\n")}, {},
                                        [](PatchPart part, std::string_view) {
                                          if (part == PatchPart::Added) {
                                            throw shadow::Error{"enough"};
                                          }
                                        }),
                    shadow::Error);
  }
}

TEST_SUITE("review/renames") {
  const std::string eight_lines = "a\nb\nc\nd\ne\nf\ng\nh\n";

  TEST_CASE("equal contents pair, of the same name first, each file once") {
    const auto rows = shadow::summarize(
        {deleted("old/x", eight_lines), deleted("old/y", eight_lines), created("a", eight_lines),
         created("new/y", eight_lines), created("z", eight_lines)},
        {}, CountLines::No);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].path == "a");
    CHECK(rows[0].old_path == "old/x");
    CHECK(rows[1].path == "new/y");
    CHECK(rows[1].old_path == "old/y");
    CHECK(rows[1].similarity == 100);
    CHECK(rows[2].letter == 'A');
  }

  TEST_CASE("similar contents pair only when asked for, and never as if they were equal") {
    const std::vector<PatchFile> files{deleted("old", eight_lines),
                                       created("new", "  " + eight_lines)};
    const auto rows = shadow::summarize(files, {}, CountLines::Yes);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].letter == 'R');
    CHECK(rows[0].similarity < 100);
    CHECK(rows[0].added == 1);
    PatchOptions exact;
    exact.renames = Renames::Exact;
    CHECK(shadow::summarize(files, exact, CountLines::No).size() == 2);
    PatchOptions limited;
    limited.max_similar_pairs = 0;
    CHECK(shadow::summarize(files, limited, CountLines::No).size() == 2);
  }

  TEST_CASE("symlinks do not pair, since git apply would refuse a file below the old name") {
    PatchFile gone = deleted("a", "");
    gone.before = link_entry("target");
    PatchFile made = created("a/b", "");
    made.after = link_entry("target");
    CHECK(shadow::summarize({gone, made}, {}, CountLines::No).size() == 2);
  }

  TEST_CASE("empty files, unlike files and halves of a change of type do not pair") {
    CHECK(shadow::summarize({deleted("a", ""), created("b", "")}, {}, CountLines::No).size() == 2);
    CHECK(shadow::summarize({deleted("a", eight_lines), created("b", "1\n2\n3\n4\n5\n6\n7\n8\n")},
                            {}, CountLines::No)
              .size() == 2);
    PatchFile turned = deleted("a", eight_lines);
    turned.after = link_entry("b");
    CHECK(shadow::summarize({turned, created("b", eight_lines)}, {}, CountLines::No).size() == 2);
  }

  TEST_CASE("of each path it tells what it was made of, and not of one that was not read") {
    const std::string text = "one\ntwo\nthree\n";
    PatchFile mode = changed("mode", text, text);
    mode.after.mode = 0755;
    mode.content_changed = false;
    PatchFile quiet = changed("quiet", text, text);
    quiet.after.mode = 0600;
    quiet.content_changed = false;
    const std::vector<PatchFile> files{changed("edited", text, text + "four\n"),
                                       deleted("gone", "x\n"),
                                       mode,
                                       deleted("old", text),
                                       created("new", text),
                                       quiet,
                                       created("large", std::string(64, 'x'))};
    PatchOptions options;
    options.max_text_bytes = 63;
    std::map<std::string, std::string> told;
    shadow::write_patch(
        files, options, [](PatchPart, std::string_view) {},
        [&](const std::string& path, const std::string* after) {
          told.emplace(path, after == nullptr ? "-" : *after);
        });
    const std::map<std::string, std::string> wanted{
        {"edited", text + "four\n"}, {"gone", "-"}, {"mode", "-"}, {"new", text}, {"old", "-"}};
    CHECK(told == wanted);
  }
}
