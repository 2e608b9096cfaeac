// SPDX-License-Identifier: MIT
#include "sandbox/bounds/cgroup.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using shadow::sandbox::CgroupHost;
using shadow::sandbox::Controller;
using shadow::sandbox::ControllerPlace;
using shadow::sandbox::probe_cgroups;

namespace {

const std::vector<Controller> all_controllers{shadow::sandbox::kAllControllers.begin(),
                                              shadow::sandbox::kAllControllers.end()};

// A directory that looks like a control group tree; removed at the end.
class FakeTree {
 public:
  FakeTree() {
    char name[] = "/tmp/shadow-cgroup-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree(FakeTree&&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;
  FakeTree& operator=(FakeTree&&) = delete;
  ~FakeTree() { shadow::sys::remove_tree(AT_FDCWD, root_); }

  void group(const std::string& path, const std::string& controllers, const std::string& enabled,
             const std::string& procs) const {
    const shadow::sys::Fd dir = this->dir(path);
    shadow::sys::replace_file_at(dir.get(), "cgroup.controllers", controllers + "\n", 0444);
    shadow::sys::replace_file_at(dir.get(), "cgroup.subtree_control", enabled + "\n", 0644);
    shadow::sys::replace_file_at(dir.get(), "cgroup.procs", procs, 0644);
    shadow::sys::replace_file_at(dir.get(), "cgroup.type", "domain\n", 0644);
  }
  [[nodiscard]] shadow::sys::Fd dir(const std::string& path) const {
    ::mkdir((root_ + path).c_str(), 0755);
    return shadow::sys::open_path(root_ + path, O_RDONLY | O_DIRECTORY);
  }
  void close_off(const std::string& path, mode_t mode) const {
    ::chmod((root_ + path).c_str(), mode);
  }
  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] std::string mountinfo() const {
    return "30 23 0:26 / " + root_ + " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  }

 private:
  std::string root_;
};

}  // namespace

TEST_SUITE("sandbox/cgroup host") {
  TEST_CASE("the nearest ancestor that is ours and offers the controllers is the place") {
    const FakeTree tree;
    tree.group("", "cpu memory pids", "cpu memory pids", "1\n");
    tree.group("/user", "cpu memory pids", "memory pids", "");
    tree.group("/user/app", "memory pids", "memory pids", "");
    tree.group("/user/app/term", "memory pids", "", "7\n8\n");
    tree.close_off("", 0555);
    tree.close_off("/cgroup.procs", 0444);
    tree.close_off("/user", 0555);
    tree.close_off("/user/cgroup.procs", 0444);
    const CgroupHost host =
        probe_cgroups(all_controllers, "0::/user/app/term\n", tree.mountinfo(), 7);
    // Root, and a process in a user namespace of its own, where tests before this one have led it.
    const bool all_powerful =
        ::faccessat(AT_FDCWD, (tree.root() + "/user").c_str(), W_OK, AT_EACCESS) == 0;
    if (!all_powerful) {
      CHECK(host.place(Controller::Memory).parent == tree.root() + "/user/app");
      CHECK(host.place(Controller::Memory).kind == ControllerPlace::Kind::V2);
      CHECK_FALSE(host.can(Controller::Cpu));
      CHECK(host.place(Controller::Cpu).why.find("not delegated") != std::string::npos);
    } else {
      // The nearest that offers all three, and one for all of them.
      for (const Controller controller : all_controllers) {
        CHECK(host.place(controller).parent == tree.root() + "/user");
      }
    }
    const CgroupHost memory =
        probe_cgroups({Controller::Memory}, "0::/user/app/term\n", tree.mountinfo(), 7);
    CHECK(memory.place(Controller::Memory).parent == tree.root() + "/user/app");
    tree.close_off("", 0755);
    tree.close_off("/user", 0755);
  }

  TEST_CASE("one's own group will do when nobody else is in it") {
    const FakeTree tree;
    tree.group("", "memory", "memory", "");
    tree.group("/scope", "memory", "", "7\n");
    tree.close_off("/cgroup.procs", 0000);
    const auto memory = [&](int self) {
      return probe_cgroups({Controller::Memory}, "0::/scope\n", tree.mountinfo(), self)
          .place(Controller::Memory);
    };
    CHECK(memory(7).kind == ControllerPlace::Kind::V2Alone);
    CHECK(memory(7).parent == tree.root() + "/scope");
    CHECK(memory(9).parent != tree.root() + "/scope");
  }

  TEST_CASE("where nothing is delegated, root's command for a group of the caller's own is known") {
    const FakeTree tree;
    tree.group("", "cpu memory", "", "1\n");
    ::unlink((tree.root() + "/cgroup.type").c_str());
    tree.group("/term", "", "", "7\n8\n");
    tree.close_off("/cgroup.procs", 0444);
    tree.close_off("", 0555);
    const CgroupHost host = probe_cgroups(all_controllers, "0::/term\n", tree.mountinfo(), 7);
    tree.close_off("", 0755);
    const ControllerPlace& memory = host.place(Controller::Memory);
    CHECK(host.place(Controller::Pids).way.empty());
    if (memory.kind == ControllerPlace::Kind::None) {  // else it is root who asks
      const std::string place = tree.root() + "/shadow-" + std::to_string(::geteuid());
      CHECK(memory.way == "sudo sh -c 'D=" + place + "; echo +memory +cpu >" + tree.root() +
                              "/cgroup.subtree_control && mkdir -p $D/shell && chown -R " +
                              std::to_string(::geteuid()) +
                              " $D && echo $0 >$D/shell/cgroup.procs' $$");
      CHECK(memory.way == host.place(Controller::Cpu).way);
    }
  }

  TEST_CASE("older hierarchies are told by the controllers in their mount options") {
    const FakeTree tree;
    const shadow::sys::Fd made = tree.dir("/mem");
    const std::string mounts = "35 31 0:32 / " + tree.root() + " rw - cgroup cgroup rw,memory\n" +
                               "36 31 0:33 / /nowhere rw - cgroup cgroup rw,cpu,cpuacct\n";
    const CgroupHost host =
        probe_cgroups(all_controllers, "4:memory:/mem\n3:cpu,cpuacct:/\n0::/\n", mounts, 7);
    CHECK(host.place(Controller::Memory).kind == ControllerPlace::Kind::V1);
    CHECK(host.place(Controller::Memory).parent == tree.root() + "/mem");
    CHECK_FALSE(host.can(Controller::Cpu));
    CHECK(host.place(Controller::Pids).why.find("not available") != std::string::npos);
  }

  TEST_CASE("a group that the mount does not show is no place") {
    const FakeTree tree;
    tree.group("", "memory", "memory", "");
    CHECK_FALSE(probe_cgroups(all_controllers, "0::/../outside\n", tree.mountinfo(), 7)
                    .can(Controller::Memory));
    const std::string part = "30 23 0:26 /docker/a " + tree.root() + " rw - cgroup2 cgroup2 rw\n";
    CHECK_FALSE(probe_cgroups(all_controllers, "0::/docker/b\n", part, 7).can(Controller::Memory));
    CHECK_FALSE(probe_cgroups(all_controllers, "0::/docker/ab\n", part, 7).can(Controller::Memory));
  }

  TEST_CASE("no control groups at all is no crash") {
    CHECK_FALSE(probe_cgroups(all_controllers, "", "", 7).can(Controller::Memory));
    CHECK_FALSE(
        probe_cgroups(all_controllers, "junk\n::\n", "a b c\n- - -\n", 7).can(Controller::Pids));
  }
}
