// SPDX-License-Identifier: MIT
#include "sandbox/setup/cgroup_namespaces.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using shadow::sandbox::FindGroup;
using shadow::sandbox::GroupDirectory;
using shadow::sandbox::may_write_own_groups;

namespace {

constexpr uid_t kCaller = 1000;

FindGroup among(std::map<std::string, GroupDirectory> groups) {
  return [groups = std::move(groups)](const std::string& path) -> std::optional<GroupDirectory> {
    const auto found = groups.find(path);
    return found == groups.end() ? std::nullopt : std::optional{found->second};
  };
}

}  // namespace

TEST_CASE("Control groups that belong to somebody else cannot be written") {
  const auto find = among({{"/sys/fs/cgroup/user.slice/session-3.scope", {0, 040755, true}}});
  CHECK_FALSE(may_write_own_groups("0::/user.slice/session-3.scope\n", kCaller, find));
}

TEST_CASE(
    "A control group that was delegated to the caller, or is open to others, can be written") {
  const auto find = among({{"/sys/fs/cgroup/own", {kCaller, 040755, true}},
                           {"/sys/fs/cgroup/open", {0, 040777, true}},
                           {"/sys/fs/cgroup/parent", {0, 040755, false}}});
  CHECK(may_write_own_groups("0::/own\n", kCaller, find));
  CHECK(may_write_own_groups("0::/open\n", kCaller, find));
  CHECK(may_write_own_groups("0::/parent\n", kCaller, find));
  CHECK(may_write_own_groups("0::/unknown\n", kCaller, find));
}

TEST_CASE("Every hierarchy of version 1 counts, and version 2 beside them") {
  const std::map<std::string, GroupDirectory> groups = {
      {"/sys/fs/cgroup/unified", {0, 040555, true}},
      {"/sys/fs/cgroup/memory/a", {0, 040755, true}},
      {"/sys/fs/cgroup/cpu,cpuacct", {0, 040755, true}},
      {"/sys/fs/cgroup/systemd/u", {kCaller, 040755, true}}};
  CHECK_FALSE(may_write_own_groups("4:memory:/a\n3:cpu,cpuacct:/\n0::/\n", kCaller, among(groups)));
  CHECK(may_write_own_groups("4:memory:/a\n1:name=systemd:/u\n0::/\n", kCaller, among(groups)));
  CHECK(may_write_own_groups("4:memory:/a\nnonsense\n", kCaller, among(groups)));
}
