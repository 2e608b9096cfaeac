// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "doctor/apparmor.hpp"
#include "doctor/doctor_checks.hpp"
#include "sandbox/bounds/cgroup_host.hpp"
#include "sandbox/bounds/kernel_gaps.hpp"
#include "sandbox/bounds/landlock.hpp"
#include "sandbox/bounds/limits.hpp"
#include "sandbox/setup/refusal.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/helper_program.hpp"
#include "sys/processes/process.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace shadow::doctor {

std::string apparmor_profile(const std::string& program, const std::string& review_program) {
  std::string text = doctor::kApparmorProfile;
  const std::string placeholder = "@PROGRAMS@";
  // AppArmor takes a name with blanks in double quotes, and none that begins with a brace.
  text.replace(text.find(placeholder), placeholder.size(),
               "\"/{" + program.substr(1) + "," + review_program.substr(1) + "}\"");
  return text;
}

std::string load_apparmor_profile(const std::string& program, const std::string& review_program) {
  const std::string profile = apparmor_profile(program, review_program);
  return "echo '" + join(split(profile, '\''), "'\\''") +
         "' | sudo tee /etc/apparmor.d/shadow >/dev/null &&\n"
         "sudo apparmor_parser -r /etc/apparmor.d/shadow";
}

namespace {

Finding user_namespaces() {
  Finding finding = found("user namespaces", sandbox::probe_in_session([] {}), Health::Cannot);
  // In a container the profile that counts is the host's.
  if (finding.cause.find(sandbox::kAppArmorRestricts) != std::string::npos &&
      sandbox::look_around().container == sandbox::Container::None) {
    finding.mend =
        load_apparmor_profile(sys::launcher_path(), sys::program_dir() + "/shadow-review");
  }
  return finding;
}

// What a kernel uses of what it has is a parameter of its start (Documentation/userspace-api/
// landlock.rst, "Boot time configuration").
std::string advice_on_landlock() {
  if (!sandbox::is_landlock_off()) {
    return "use Linux 6.12 or later with Landlock";
  }
  const std::string used = sys::read_file_at(AT_FDCWD, "/sys/kernel/security/lsm").value_or("");
  return used.empty() ? std::string{"start the kernel with landlock in its parameter lsm="}
                      : "start the kernel with lsm=landlock," + std::string{trimmed(used)};
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
              join(sandbox::kernel_gaps(abi, policy::Network::Host), ", nor from "),
          advice_on_landlock() + "; --net=none closes the abstract sockets"};
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
                          sandbox::advice_on_controller(controller, host)});
    }
  }
}

}  // namespace

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

}  // namespace shadow::doctor
