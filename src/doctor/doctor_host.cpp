// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "doctor/apparmor.hpp"
#include "doctor/doctor_checks.hpp"
#include "sandbox/cgroup_host.hpp"
#include "sandbox/kernel_gaps.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/limits.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace shadow {
namespace {

bool apparmor_restricts() {
  const auto text =
      sys::read_file_at(AT_FDCWD, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  return text && text->starts_with('1');
}

Finding user_namespaces() {
  Finding finding = found("user namespaces", sandbox::probe_in_session([] {}), Health::Cannot);
  if (finding.health != Health::Ok && ::geteuid() != 0 && apparmor_restricts()) {
    const std::string here = sys::program_dir();
    finding.mend =
        "save the following as /etc/apparmor.d/shadow and run\n"
        "  sudo apparmor_parser -r /etc/apparmor.d/shadow\n\n" +
        apparmor_profile(here + "/shadow", here + "/shadow-review");
  }
  return finding;
}

Finding landlock() {
  const int abi = sandbox::landlock_abi();
  if (abi >= sandbox::kLandlockScopeAbi) {
    return {"Landlock", Health::Ok, "ABI " + std::to_string(abi), {}};
  }
  return {"Landlock", Health::Degraded,
          (abi == 0 ? std::string{"not enabled in this kernel"}
                    : "ABI " + std::to_string(abi) + " has no scopes") +
              ", so that a run is not kept from " +
              join(sandbox::kernel_gaps(abi, Network::Host), ", nor from "),
          "use Linux 6.12 or later with Landlock; --net=none closes the abstract sockets"};
}

void check_limits(Findings& findings) {
  const sandbox::CgroupHost host =
      sandbox::probe_cgroups({sandbox::kAllControllers.begin(), sandbox::kAllControllers.end()});
  for (const sandbox::Controller controller : sandbox::kAllControllers) {
    // An ordinary user's processes are counted by the user namespace.
    if (controller == sandbox::Controller::Pids && ::geteuid() != 0) {
      continue;
    }
    const std::string name = "limit of " + std::string{sandbox::name_of(controller)};
    if (host.can(controller)) {
      findings.push_back({name, Health::Ok, "below " + host.place(controller).parent, {}});
    } else {
      findings.push_back({name, Health::Degraded, host.place(controller).why,
                          sandbox::mend_for(controller, host)});
    }
  }
}

}  // namespace

std::string apparmor_profile(const std::string& program, const std::string& review_program) {
  std::string text = kApparmorProfile;
  const std::string placeholder = "@PROGRAMS@";
  // AppArmor takes a name with blanks in double quotes.
  text.replace(text.find(placeholder), placeholder.size(),
               "\"{" + program + "," + review_program + "}\"");
  return text;
}

bool check_host(Findings& findings) {
  findings.push_back(user_namespaces());
  const bool namespaces = findings.back().health == Health::Ok;
  if (namespaces) {
    findings.push_back(
        found("nested namespaces", sandbox::probe_nested_namespaces(), Health::Cannot));
    findings.push_back(found("read-only host", sandbox::probe_read_only_host(), Health::Cannot));
    findings.push_back(
        found("private network", sandbox::probe_private_network(), Health::Degraded));
  }
  findings.push_back(found("terminal filter", sandbox::probe_terminal_filter(), Health::Cannot));
  findings.push_back(landlock());
  check_limits(findings);
  return namespaces;
}

}  // namespace shadow
