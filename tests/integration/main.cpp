// SPDX-License-Identifier: MIT
// Runs the tests in a user and a mount namespace of their own, on a tmpfs over /tmp: overlays can
// be mounted without privilege, and nothing is left behind. Exit status 77 (skipped) where that
// cannot be had; 1 with SHADOW_TEST_NO_SKIP set.

#define DOCTEST_CONFIG_IMPLEMENT
#include "shadow/error.hpp"

#include "integration/mounted.hpp"
#include "support/scratch.hpp"
#include "support/tree.hpp"
#include "sys/files/file.hpp"
#include "sys/files/xattr.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace {

using shadow::throw_errno;
namespace sys = shadow::sys;

void write_proc_self(const std::string& name, const std::string& text) {
  sys::write_all(sys::open_path("/proc/self/" + name, O_WRONLY).get(), text);
}

void enter_namespaces() {
  const std::string uid = std::to_string(::geteuid());
  const std::string gid = std::to_string(::getegid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    throw_errno("make namespaces");
  }
  write_proc_self("setgroups", "deny");
  write_proc_self("uid_map", "0 " + uid + " 1");
  write_proc_self("gid_map", "0 " + gid + " 1");
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    throw_errno("make mounts private");
  }
}

// tmpfs takes user.* attributes since Linux 6.6; before that the tests lie where they are run.
void choose_scratch() {
  const std::string here = sys::read_link_at(AT_FDCWD, "/proc/self/cwd");
  if (::mount("shadow-test", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, nullptr) != 0) {
    throw_errno("mount a tmpfs");
  }
  std::string scratch = "/tmp";
  try {
    sys::set_xattr(shadow::test::open_dir(scratch).get(), "user.shadow", "1");
  } catch (const shadow::SysError&) {
    (void)::umount2("/tmp", MNT_DETACH);
    scratch = here;
  }
  ::setenv("TMPDIR", scratch.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
}

void try_overlay() {
  shadow::test::Mounted mounted{{}};
  mounted.mount();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    enter_namespaces();
    choose_scratch();
    try_overlay();
  } catch (const shadow::Error& error) {
    constexpr int kSkipped = 77;
    (void)std::fprintf(stderr, "skipped: %s\n", error.what());
    return sys::environment("SHADOW_TEST_NO_SKIP") ? 1 : kSkipped;
  }
  return doctest::Context{argc, argv}.run();
}
