// SPDX-License-Identifier: MIT
#include "doctor/doctor.hpp"

#include "shadow/error.hpp"

#include "sandbox/process/probe.hpp"
#include "sys/files/dir.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using shadow::Finding;
using shadow::Health;
using shadow::doctor::DoctorRequest;

namespace {

class Scratch {
 public:
  explicit Scratch(const std::string& below) : path_{below + "/shadow doctor-XXXXXX"} {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
    for (const char* dir : {"/state", "/project", "/home"}) {
      ::mkdir((path_ + dir).c_str(), 0700);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { shadow::sys::remove_tree(AT_FDCWD, path_); }

  [[nodiscard]] DoctorRequest request() const {
    return {path_ + "/state", path_ + "/home", path_ + "/project"};
  }
  // What an examination makes for itself: layers to try, and sessions.
  [[nodiscard]] std::size_t trials_left() const {
    std::size_t left = entries(path_ + "/state/sessions").size();
    for (const shadow::sys::DirEntry& entry : entries(path_ + "/state")) {
      left += entry.name.starts_with("trial-") ? 1U : 0U;
    }
    return left;
  }

 private:
  static std::vector<shadow::sys::DirEntry> entries(const std::string& path) {
    const shadow::sys::Fd dir = shadow::sys::open_path(path, O_RDONLY | O_DIRECTORY);
    return shadow::sys::list_dir(dir.get());
  }

  std::string path_;
};

const Finding* finding(const std::vector<Finding>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Finding& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// Makes unshare(2) and clone3(2) fail as the seccomp profile of a container does.
bool forbid_namespaces() {
  constexpr unsigned kNumber = offsetof(seccomp_data, nr);
  std::array<sock_filter, 5> program{{{BPF_LD | BPF_W | BPF_ABS, 0, 0, kNumber},
                                      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_unshare},
                                      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3},
                                      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
                                      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog all{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

bool namespaces_here() {
  return !shadow::sandbox::probe_in_session([] {});
}

}  // namespace

TEST_SUITE("doctor") {
  TEST_CASE("a machine on which runs work is found so, and nothing is left") {
    if (!namespaces_here()) {
      MESSAGE("skipped: no user namespaces here");
      return;
    }
    const Scratch scratch{"/tmp"};
    const std::vector<Finding> all = shadow::doctor::examine(scratch.request());
    for (const char* name : {"user namespaces", "nested namespaces", "read-only host",
                             "private network", "terminal filter", "overlay", "project", "home"}) {
      CAPTURE(name);
      const Finding* one = finding(all, name);
      REQUIRE(one != nullptr);
      CAPTURE(one->cause);
      CHECK(one->health == Health::Ok);
    }
    CHECK(shadow::worst(all) != Health::Cannot);
    CHECK(scratch.trials_left() == 0);
  }

  TEST_CASE("every finding but a good one says why") {
    const Scratch scratch{"/tmp"};
    for (const Finding& one : shadow::doctor::examine(scratch.request())) {
      CAPTURE(one.name);
      CHECK((one.health == Health::Ok || !one.cause.empty()));
    }
  }

  TEST_CASE("a state directory in memory is degraded, not refused") {
    if (::access("/dev/shm", W_OK) != 0) {
      MESSAGE("skipped: no /dev/shm");
      return;
    }
    const Scratch scratch{"/dev/shm"};
    const std::vector<Finding> all = shadow::doctor::examine(scratch.request());
    const Finding* state = finding(all, "state directory");
    REQUIRE(state != nullptr);
    CHECK(state->health == Health::Degraded);
    CHECK(state->mend.find("SHADOW_STATE_DIR") != std::string::npos);
  }

  TEST_CASE("without namespaces it says so and does not try what needs them") {
    const Scratch scratch{"/tmp"};
    const pid_t pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      if (!forbid_namespaces()) {
        ::_exit(9);
      }
      const std::vector<Finding> all = shadow::doctor::examine(scratch.request());
      const Finding* user = finding(all, "user namespaces");
      const bool told = user != nullptr && user->health == Health::Cannot && !user->cause.empty() &&
                        !user->mend.empty();
      const bool tried = finding(all, "overlay") != nullptr;
      ::_exit(told && !tried && shadow::worst(all) == Health::Cannot ? 0 : 1);
    }
    CHECK(shadow::sys::wait_for(pid) == 0);
  }

  TEST_CASE(
      "a state directory that is not there is one finding, the others are made all the same") {
    const Scratch scratch{"/tmp"};
    DoctorRequest request = scratch.request();
    request.state += "/missing";
    const std::vector<Finding> all = shadow::doctor::examine(request);
    CHECK(shadow::worst(all) == Health::Cannot);
    CHECK(finding(all, "home") != nullptr);
  }

  TEST_CASE("files of another owner are counted, for an ordinary user") {
    if (::geteuid() == 0) {
      MESSAGE("skipped: all ids are mapped for root");
      return;
    }
    const std::vector<Finding> all = shadow::doctor::examine({{}, {}, "/etc"});
    const Finding* owners = finding(all, "project owners");
    REQUIRE(owners != nullptr);
    CHECK(owners->health == Health::Degraded);
    CHECK(owners->mend.find("chown") != std::string::npos);
  }

  TEST_CASE("a project above a mount point is refused by name") {
    const std::vector<Finding> all = shadow::doctor::examine({{}, {}, "/"});
    const Finding* project = finding(all, "project");
    REQUIRE(project != nullptr);
    CHECK(project->health == Health::Cannot);
    CHECK(project->cause.find("mount point") != std::string::npos);
  }

  TEST_CASE("the AppArmor profile names the programs") {
    const std::string profile =
        shadow::doctor::apparmor_profile("/opt/a b/shadow", "/x/shadow-review");
    CHECK(profile.find("profile shadow \"/{opt/a b/shadow,x/shadow-review}\" "
                       "flags=(unconfined)") != std::string::npos);
    CHECK(profile.find("userns,") != std::string::npos);
    CHECK(profile.find('@') == profile.find("@{"));
  }

  TEST_CASE("health orders and has names") {
    CHECK(shadow::worst({}) == Health::Ok);
    CHECK(shadow::worst({{"a", Health::Degraded, {}, {}}, {"b", Health::Ok, {}, {}}}) ==
          Health::Degraded);
    CHECK(shadow::name_of(Health::Cannot) == "cannot");
  }
}

TEST_SUITE("sandbox/probe") {
  TEST_CASE("a probe tells what was thrown, and that it was killed") {
    CHECK_FALSE(shadow::sandbox::probe_in_child([] {}));
    const auto thrown = shadow::sandbox::probe_in_child([] {
      throw shadow::Error{"cannot do it:\nreally", "do this"};
    });
    REQUIRE(thrown);
    CHECK(thrown->cause == "cannot do it:\nreally");
    CHECK(thrown->advice == "do this");
    const auto killed = shadow::sandbox::probe_in_child([] { ::kill(::getpid(), SIGKILL); });
    REQUIRE(killed);
    CHECK_FALSE(killed->cause.empty());
  }
}
