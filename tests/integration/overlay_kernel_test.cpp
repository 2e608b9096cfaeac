// SPDX-License-Identifier: MIT
// What the kernel's overlayfs writes for each kind of change, and what it makes of forms that it
// would not write, against what the overlay room says of the same layers.

#include "shadow/error.hpp"

#include "integration/mounted.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/write/prune.hpp"
#include "support/expect.hpp"
#include "support/layers.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/xattr.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

namespace {

overlay::View view_of(const Mounted& mounted) {
  return {mounted.upper_fd(), mounted.lower_fd()};
}

// The three accounts of the same session: the mount, View, and scan.
void check_agreement(Mounted& mounted) {
  mounted.remount();
  const Snapshot kernel = snapshot(mounted.view());
  CHECK(differences(kernel, snapshot(view_of(mounted))) == "");
  CHECK(complaints(overlay::scan(mounted.upper_fd(), mounted.lower_fd()), snapshot(mounted.lower()),
                   kernel) == "");
}

void remove(const Mounted& mounted, const std::string& path) {
  sys::remove_tree(AT_FDCWD, mounted / path);
}

}  // namespace

TEST_SUITE("overlay/kernel") {
  TEST_CASE("every kind of change made in a view is told by the scan") {
    Mounted m{{{"a b", file("1")},
               {"mode", file("1")},
               {"gone", file("1")},
               {"tree/x/y", file("1")},
               {"opaque/x", file("1")},
               {"opaque/y", file("1")},
               {"f2d", file("1")},
               {"d2f/x", file("1")},
               {"d2l/x", file("1")},
               {"l2f", link("a b")},
               {"retarget", link("1")},
               {"touched", file("1")},
               {"opened", file("1")},
               {"shut", file("1")},
               {"ro/x", file("1")},
               {"attr", file("1")},
               {"moved", file("1")}}};
    m.mount();
    write_file(m / "a b", "2");
    REQUIRE(::chmod((m / "mode").c_str(), 0755) == 0);
    remove(m, "gone");
    remove(m, "tree");
    remove(m, "opaque");
    build(m.view(), {{"opaque/x", file("1")}, {"opaque/new\nline", file("2")}});
    remove(m, "f2d");
    remove(m, "d2f");
    remove(m, "d2l");
    remove(m, "l2f");
    remove(m, "retarget");
    build(m.view(), {{"f2d/x", file("1")},
                     {"d2f", file("1")},
                     {"d2l", link("..")},
                     {"l2f", file("1")},
                     {"retarget", link("2")},
                     {"dangling", link("/none")},
                     {"p", fifo()},
                     {"s", sock()},
                     {"empty", file("")},
                     {"emptydir", dir()},
                     {"\xff", file("1")},
                     {"-dash", file("1")},
                     {"hard1", file("h")},
                     {"hard2", hard("hard1")},
                     {"also", hard("touched")},
                     {std::string(255, 'n'), file("")}});
    REQUIRE(::utimensat(AT_FDCWD, (m / "touched").c_str(), nullptr, 0) == 0);
    CHECK(sys::open_path(m / "opened", O_RDWR));
    REQUIRE(::chmod((m / "shut").c_str(), 0) == 0);
    REQUIRE(::chmod((m / "ro").c_str(), 0555) == 0);
    sys::set_xattr(sys::open_path(m / "attr", O_PATH).get(), "user.k", "v");
    REQUIRE(::rename((m / "moved").c_str(), (m / "moved to").c_str()) == 0);
    const std::string expected =
        "A -dash\nM a b c\nA also = touched\nM attr x\nT d2f\nD d2f/x\nT d2l\nD d2l/x\nA dangling\n"
        "A empty\nA emptydir\nT f2d\nA f2d/x\nD gone\nA hard1\nA hard2 = hard1\nT l2f\nM mode m\n"
        "D moved\nA moved to\nA " +
        std::string(255, 'n') +
        "\nA opaque/new\\nline\nD opaque/y\nA p\nM retarget c\nM ro m\nA s\nM shut m\nD tree\n"
        "D tree/x\nD tree/x/y\nA \\xff\n";
    CHECK(m.scan() == expected);
    check_agreement(m);
  }

  TEST_CASE("files of mode 0 are read") {
    Mounted m{{{"f", file("1", 0)}, {"d/x", file("1", 0)}, {"d", dir(0)}}};
    m.mount();
    REQUIRE(::chmod((m / "f").c_str(), 0600) == 0);
    REQUIRE(::chmod((m / "f").c_str(), 0) == 0);
    write_file(m / "d/x", "2");
    CHECK(m.scan() == "M d/x c\n");
    check_agreement(m);
  }

  TEST_CASE("an attribute that a run calls overlayfs' own is told under its name") {
    Mounted m{{{"f", file("1")}}};
    m.mount();
    if (::setxattr((m / "f").c_str(), "user.overlay.opaque", "y", 1, 0) != 0) {
      CHECK(errno == EOPNOTSUPP);
      MESSAGE(
          "skipped: this kernel lets nobody set these attributes through a mount");  // before
                                                                                     // Linux 6.7
      return;
    }
    CHECK(m.scan() == "M f x\n");
    check_agreement(m);
  }

  TEST_CASE("a hard link of the real tree is broken by a change of one of its names") {
    Mounted m{{{"a", file("1")}, {"b", hard("a")}}};
    m.mount();
    write_file(m / "a", "2");
    CHECK(m.scan() == "M a c\n");
    CHECK(read_file(m / "b") == "1");
    remove(m, "b");
    REQUIRE(::link((m / "a").c_str(), (m / "b").c_str()) == 0);
    CHECK(m.scan() == "M a c\nM b c = a\n");
    check_agreement(m);
  }

  TEST_CASE("a directory moved away and back is redundant and can be pruned") {
    Mounted m{{{"d/x", file("1")}, {"d/e/y", file("2")}}};
    m.mount();
    remove(m, "d");
    build(m.view(), {{"t/x", file("1")}, {"t/e/y", file("2")}});
    REQUIRE(::rename((m / "t").c_str(), (m / "d").c_str()) == 0);
    CHECK(m.scan() == "");
    m.unmount();
    overlay::prune(m.upper_fd(), m.lower_fd(), {"d", "d/x", "d/e", "d/e/y", "t"});
    CHECK(overlay::list_upper(m.upper_fd()).empty());
    check_agreement(m);
  }

  TEST_CASE("the kernel takes opaque for exactly y, and does not ask for the root's") {
    for (const char* value : {"y", "x", "n", "", "yy"}) {
      Mounted m{{{"d/a", file("1")}},
                {{"d", dir().with("user.overlay.opaque", value)}, {"d/b", file("2")}}};
      sys::set_xattr(m.upper_fd(), "user.overlay.opaque", value);
      check_agreement(m);
    }
  }

  TEST_CASE("a device 0:0 of the real tree does not show in the mount either") {
    Mounted m{{{"w", whiteout()}, {"d/w", whiteout()}, {"d/x", file("1")}}, {{"d/y", file("2")}}};
    m.mount();
    CHECK(differences(snapshot(m.view()), snapshot(view_of(m))) == "");
  }

  TEST_CASE("an empty file marked as a whiteout cannot be looked up where the kernel knows it") {
    Mounted m{{{"a", file("1")}}, {{"a", file("").with("user.overlay.whiteout", "")}}};
    m.mount();
    if (::access((m / "a").c_str(), F_OK) == 0) {
      MESSAGE("skipped: this kernel is older than these whiteouts");
      return;
    }
    CHECK(m.scan() == "D a\n");
    CHECK_FALSE(view_of(m).look("a").exists());
  }

  TEST_CASE(
      "an empty file of the real tree that is marked as a whiteout shows as the mount shows it") {
    const Item marked = file("").with("user.overlay.whiteout", "");
    Mounted m{{{"a", marked}, {"d/a", marked}, {"d/b", file("1")}}, {{"d/c", file("2")}}};
    m.mount();
    if (::access((m / "a").c_str(), F_OK) == 0 && ::access((m / "d/a").c_str(), F_OK) == 0) {
      MESSAGE("skipped: this kernel is older than these whiteouts");
      return;
    }
    for (const char* path : {"a", "d/a"}) {
      CHECK(view_of(m).look(path).exists() == (::access((m / path).c_str(), F_OK) == 0));
    }
  }

  TEST_CASE("masks hide names that come later, in the mount too") {
    Mounted m{{{"cfg/other", file("o")}}};
    for (const char* path : {"cfg/secret", ".ssh"}) {
      overlay::mask(m.upper_fd(), m.lower_fd(), path);
    }
    build(m.lower(), {{"cfg/secret/key", file("s")}, {".ssh/id", file("s")}});
    m.mount();
    CHECK(::access((m / "cfg/secret").c_str(), F_OK) != 0);
    CHECK(::access((m / ".ssh").c_str(), F_OK) != 0);
    CHECK(read_file(m / "cfg/other") == "o");
  }

  TEST_CASE("a layer can be mounted again after a mount that was not synced") {
    Mounted m{{{"a", file("1")}}};
    for (int times = 0; times < 3; ++times) {
      m.mount();
      write_file(m / "a", std::to_string(times));
      m.unmount();
    }
    CHECK(m.scan() == "M a c\n");
  }

  TEST_CASE("the view's root has the mode of the real root") {
    Mounted m{{}};
    CHECK(m.scan() == "");
    m.mount();
    struct stat real {};
    struct stat view {};
    REQUIRE(::stat(m.lower().c_str(), &real) == 0);
    REQUIRE(::stat(m.view().c_str(), &view) == 0);
    CHECK(real.st_mode == view.st_mode);
  }
}
