// SPDX-License-Identifier: MIT
#include "sandbox/setup/refusal.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/file.hpp"
#include "sys/namespaces/mountinfo.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <linux/capability.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr const char* kLimit = "10000";

std::string read_word(const std::string& path) {
  std::string text;
  try {
    text = sys::read_file_at(AT_FDCWD, path).value_or("");
  } catch (const Error&) {
    return {};  // the label of a process is EINVAL without a security module
  }
  return text.substr(0, text.find('\n'));
}

bool is_there(const char* path) {
  return ::access(path, F_OK) == 0;
}

// "NAME:\tVALUE" in /proc/self/status.
std::string status_value(const std::string& status, const std::string& name) {
  const std::size_t at = status.find("\n" + name + ":\t");
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = at + name.size() + std::string_view{"\n:\t"}.size();
  return status.substr(begin, status.find('\n', begin) - begin);
}

Container container_here() {
  if (sys::environment("KUBERNETES_SERVICE_HOST")) {
    return Container::Kubernetes;
  }
  if (is_there("/run/.containerenv")) {
    return Container::Podman;
  }
  return is_there("/.dockerenv") ? Container::Docker : Container::None;
}

bool is_root_visible() {
  const std::vector<sys::MountInfo> mounts = sys::read_mountinfo();
  return std::any_of(mounts.begin(), mounts.end(),
                     [](const sys::MountInfo& mount) { return mount.point == "/"; });
}

// All that a container refuses by default goes with these.
std::string start_container(Container container) {
  switch (container) {
    case Container::Docker:
      return "start the container with: docker run --security-opt seccomp=unconfined "
             "--security-opt apparmor=unconfined --security-opt systempaths=unconfined";
    case Container::Podman:
      return "start the container with: podman run --security-opt seccomp=unconfined "
             "--security-opt unmask=ALL --security-opt label=disable";
    case Container::Kubernetes:
      return "in the pod's spec: hostUsers: false; in the container's securityContext: "
             "seccompProfile: {type: Unconfined}, appArmorProfile: {type: Unconfined}, "
             "procMount: Unmasked";
    case Container::None:
      break;
  }
  return {};
}

bool in_container(const Surroundings& around) {
  return around.container != Container::None;
}

// `settings` is NAME=VALUE...
std::string set_sysctl(const std::string& settings, bool on_the_host) {
  return (on_the_host ? "on the host: " : "") + ("sudo sysctl " + settings) +
         "; to last, the same in /etc/sysctl.d/60-shadow.conf";
}

bool may_be_apparmor(NamespacePart part, int error, const Surroundings& around) {
  // AppArmor restricts the namespaces of unconfined programs without CAP_SYS_ADMIN; inside of the
  // new namespace, when its ids are mapped, everybody has that capability. A filter's EPERM comes
  // first.
  const bool unconfined = around.apparmor_label.empty() || around.apparmor_label == "unconfined" ||
                          around.apparmor_label.starts_with("unprivileged_userns");
  const bool making = part == NamespacePart::Making;
  return around.apparmor_restricts && unconfined && !(making && around.system_administrator) &&
         !(making && around.seccomp_filter && error == EPERM);
}

Refusal of_limit(const Surroundings& around) {
  if (around.closed.empty()) {
    return {"a limit of user.max_user_namespaces or user.max_mnt_namespaces is reached",
            advice_on_nesting(ENOSPC, around)};
  }
  const std::string name = "user." + around.closed.front();
  if (!around.outermost) {
    return {"the limit " + name + " is 0 here",
            "the sandbox or container around shadow forbids them (bwrap: --disable-userns): start "
            "shadow outside of it"};
  }
  return {"the limit " + name + " is 0", set_sysctl(name + "=" + kLimit, in_container(around))};
}

Refusal of_filter(const Surroundings& around) {
  const std::string container = start_container(around.container);
  return {"a seccomp filter of what started shadow refuses them",
          container.empty() ? "allow them there: RestrictNamespaces=no in a systemd unit, in a "
                              "container a seccomp profile with unshare(2) and clone(2)"
                            : container};
}

}  // namespace

Surroundings look_around() {
  Surroundings around;
  const std::string label = read_word("/proc/self/attr/current");
  around.apparmor_label = label.substr(0, label.rfind(" ("));
  around.apparmor_restricts =
      read_word("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1";
  around.userns_clone_off = read_word("/proc/sys/kernel/unprivileged_userns_clone") == "0";
  for (const char* name : {"max_user_namespaces", "max_mnt_namespaces"}) {
    if (read_word(std::string{"/proc/sys/user/"} + name) == "0") {
      around.closed.emplace_back(name);
    }
  }
  const std::string status = sys::read_file_at(AT_FDCWD, "/proc/self/status").value_or("");
  around.outermost = read_word("/proc/self/uid_map").ends_with(" 0 4294967295");
  around.seccomp_filter = status_value(status, "Seccomp") == "2";
  constexpr int kHexadecimal = 16;
  const unsigned long long held =
      std::strtoull(status_value(status, "CapEff").c_str(), nullptr, kHexadecimal);
  around.system_administrator = ((held >> static_cast<unsigned>(CAP_SYS_ADMIN)) & 1U) != 0;
  around.chrooted = !is_root_visible();
  around.container = container_here();
  return around;
}

Refusal why_no_namespace(NamespacePart part, int error, const Surroundings& around) {
  if (error == ENOSPC) {
    return of_limit(around);
  }
  if (error != EPERM && error != EACCES) {
    return {};
  }
  if (around.chrooted) {
    return {"the kernel makes none in a chroot(2)",
            "enter the directory by pivot_root(2), as bwrap and systemd-nspawn do"};
  }
  if (may_be_apparmor(part, error, around)) {
    return {kAppArmorRestricts,
            in_container(around)
                ? "on the host: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
                : "install shadow's AppArmor profile: 'shadow doctor' prints it and the command"};
  }
  if (around.userns_clone_off && !around.system_administrator) {
    return {"kernel.unprivileged_userns_clone is 0",
            set_sysctl("kernel.unprivileged_userns_clone=1", in_container(around))};
  }
  if (around.seccomp_filter) {
    return of_filter(around);
  }
  return {{}, start_container(around.container)};
}

std::string advice_on_nesting(int error, const Surroundings& around) {
  if (error != ENOSPC) {
    return {};
  }
  std::string settings;
  for (const char* kind : {"user", "mnt", "pid", "ipc", "uts", "net"}) {
    settings += (settings.empty() ? "user.max_" : " user.max_") +
                (std::string{kind} + "_namespaces=") + kLimit;
  }
  return set_sysctl(settings, in_container(around));
}

std::string advice_on_mount(int error, const Surroundings& around) {
  if (error == ENOSPC) {
    return "where the state directory's filesystem is full (df, df -i), 'shadow discard' makes "
           "room; else " +
           set_sysctl("fs.mount-max=200000", in_container(around));
  }
  if (error == ENOSYS || error == ENODEV) {
    return "use Linux 6.1 or later, with overlayfs (sudo modprobe overlay)";
  }
  if (error != EPERM && error != EACCES) {
    return {};
  }
  if (in_container(around)) {
    return start_container(around.container);
  }
  const std::string& label = around.apparmor_label;
  if (label.empty() || label == "unconfined") {
    return {};
  }
  return "the security policy of '" + printable(label) +
         "' may refuse it: start shadow from a program without one, or allow that one to mount";
}

std::string advice_on_covered_proc(const Surroundings& around) {
  return in_container(around)
             ? start_container(around.container)
             : "run the container with an unmasked /proc (podman: --security-opt unmask=ALL; "
               "docker: --security-opt systempaths=unconfined)";
}

}  // namespace shadow::sandbox
