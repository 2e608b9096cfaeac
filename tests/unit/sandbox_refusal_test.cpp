// SPDX-License-Identifier: MIT
#include "sandbox/setup/refusal.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

using shadow::sandbox::advice_on_covered_proc;
using shadow::sandbox::advice_on_mount;
using shadow::sandbox::Container;
using shadow::sandbox::kAppArmorRestricts;
using shadow::sandbox::NamespacePart;
using shadow::sandbox::Refusal;
using shadow::sandbox::Surroundings;
using shadow::sandbox::why_no_namespace;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Refusal making(int error, const Surroundings& around) {
  return why_no_namespace(NamespacePart::Making, error, around);
}

Surroundings ubuntu() {
  Surroundings around;
  around.apparmor_restricts = true;
  around.apparmor_label = "unconfined";
  return around;
}

}  // namespace

TEST_SUITE("sandbox/refusal") {
  TEST_CASE("Ubuntu's AppArmor is named for a program that it does not confine otherwise") {
    CHECK(making(EACCES, ubuntu()).cause == kAppArmorRestricts);
    CHECK(why_no_namespace(NamespacePart::Mapping, EPERM, ubuntu()).cause == kAppArmorRestricts);
    CHECK(has(making(EACCES, ubuntu()).advice, "shadow doctor"));
    Surroundings inside = ubuntu();
    inside.apparmor_label = "unprivileged_userns";
    inside.system_administrator = true;  // of the namespace that was just made
    CHECK(why_no_namespace(NamespacePart::Mapping, EPERM, inside).cause == kAppArmorRestricts);
  }

  TEST_CASE("a container on Ubuntu is told of its own filter, not of the host's AppArmor") {
    Surroundings around = ubuntu();
    around.apparmor_label = "docker-default";
    around.seccomp_filter = true;
    around.container = Container::Docker;
    const Refusal docker = making(EPERM, around);
    CHECK(has(docker.cause, "seccomp"));
    CHECK(has(docker.advice, "docker run --security-opt seccomp=unconfined"));
    around.apparmor_label = "unconfined";
    CHECK(has(making(EPERM, around).cause, "seccomp"));
    // Once the filter is off, the restriction is what remains, and the host's to lift.
    around.seccomp_filter = false;
    CHECK(has(making(EACCES, around).advice, "on the host: sudo sysctl"));
    around.system_administrator = true;
    CHECK_FALSE(has(making(EACCES, around).cause, "AppArmor"));
  }

  TEST_CASE("each container engine has its own words") {
    Surroundings around;
    around.seccomp_filter = true;
    CHECK(has(making(EPERM, around).advice, "RestrictNamespaces=no"));
    around.container = Container::Podman;
    CHECK(has(making(EPERM, around).advice, "podman run"));
    CHECK(has(advice_on_covered_proc(around), "unmask=ALL"));
    around.container = Container::Kubernetes;
    CHECK(has(making(EPERM, around).advice, "procMount: Unmasked"));
    CHECK(has(advice_on_covered_proc({}), "systempaths=unconfined"));
  }

  TEST_CASE("a sysctl is named with its value and who can set it") {
    Surroundings around;
    around.userns_clone_off = true;
    CHECK(has(making(EPERM, around).advice, "sudo sysctl kernel.unprivileged_userns_clone=1"));
    around.container = Container::Docker;
    CHECK(making(EPERM, around).advice.starts_with("on the host: "));
    around.system_administrator = true;  // whom the kernel does not ask
    CHECK_FALSE(has(making(EPERM, around).cause, "unprivileged_userns_clone"));
  }

  TEST_CASE("a limit of namespaces is named where it is 0, and whose it is") {
    Surroundings around;
    CHECK(has(making(ENOSPC, around).advice, "user.max_mnt_namespaces=10000"));
    around.closed = {"max_mnt_namespaces"};
    CHECK(has(making(ENOSPC, around).cause, "user.max_mnt_namespaces is 0"));
    CHECK(has(making(ENOSPC, around).advice, "sudo sysctl user.max_mnt_namespaces=10000"));
    around.outermost = false;
    CHECK(has(making(ENOSPC, around).advice, "outside"));
    CHECK_FALSE(has(making(ENOSPC, around).advice, "sysctl"));
  }

  TEST_CASE("a chroot is named, and nothing where nothing is known") {
    Surroundings around;
    around.chrooted = true;
    CHECK(has(making(EPERM, around).cause, "chroot"));
    CHECK(making(EPERM, {}).cause.empty());
    CHECK(making(EINVAL, around).cause.empty());
  }

  TEST_CASE("a refused mount has a advice where the machine tells one") {
    CHECK(has(advice_on_mount(ENOSPC, {}), "fs.mount-max"));
    CHECK(has(advice_on_mount(ENODEV, {}), "modprobe overlay"));
    CHECK(advice_on_mount(EINVAL, {}).empty());
    CHECK(advice_on_mount(EPERM, {}).empty());
    Surroundings around = ubuntu();
    CHECK(advice_on_mount(EACCES, around).empty());
    around.apparmor_label = "some-editor";
    CHECK(has(advice_on_mount(EACCES, around), "'some-editor'"));
    around.container = Container::Docker;
    CHECK(has(advice_on_mount(EACCES, around), "apparmor=unconfined"));
  }

  TEST_CASE("this machine can be looked at") {
    CHECK_FALSE(shadow::sandbox::look_around().chrooted);
  }
}
