// SPDX-License-Identifier: MIT
#include "sandbox/bounds/cgroup_host.hpp"

#include "base/text.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/statvfs.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

struct Hierarchy {
  bool v2 = false;
  std::string root;     // which group the mount shows at its top
  std::string point;    // where it is mounted
  std::string options;  // of the superblock: the controllers of a v1 hierarchy
};

// mountinfo writes blanks, tabs, newlines and backslashes as \ooo (proc(5)).
std::string unescaped(const std::string& text) {
  constexpr std::size_t kDigits = 3;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + kDigits < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += kDigits;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Hierarchy> hierarchies(std::string_view mountinfo) {
  constexpr std::size_t kRoot = 3;
  constexpr std::size_t kPoint = 4;
  std::vector<Hierarchy> found;
  for (const std::string& line : split(mountinfo, '\n')) {
    const std::vector<std::string> fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() <= kPoint || fields.end() - dash < 4) {
      continue;
    }
    const std::string& type = *(dash + 1);
    if (type == "cgroup" || type == "cgroup2") {
      found.push_back(
          {type == "cgroup2", unescaped(fields[kRoot]), unescaped(fields[kPoint]), *(dash + 3)});
    }
  }
  return found;
}

bool lists(std::string_view text, char separator, std::string_view word) {
  const std::vector<std::string> words = split(text, separator);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The caller's group of a hierarchy: the line of /proc/self/cgroup whose controllers name it (""
// for v2), as a directory; nullopt when the mount does not show it.
std::optional<std::string> own_group(std::string_view membership, const Hierarchy& hierarchy,
                                     std::string_view controller) {
  for (const std::string& line : split(membership, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string names = line.substr(first + 1, second - first - 1);
    if (hierarchy.v2 ? !names.empty() : !lists(names, ',', controller)) {
      continue;
    }
    std::string path = line.substr(second + 1);
    if (path.find("/..") != std::string::npos) {
      return std::nullopt;  // outside of the cgroup namespace's root
    }
    if (hierarchy.root != "/") {
      const bool shown = path == hierarchy.root || path.starts_with(hierarchy.root + "/");
      if (!shown) {
        return std::nullopt;
      }
      path.erase(0, hierarchy.root.size());
    }
    return path == "/" ? hierarchy.point : hierarchy.point + path;
  }
  return std::nullopt;
}

bool writable(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

std::string content(const std::string& path) {
  std::string text;
  if (const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_RDONLY)) {
    text = sys::read_all(fd.get());
  }
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text;
}

ControllerPlace none(Controller controller, const std::string& why, std::string way = {}) {
  return {ControllerPlace::Kind::None,
          {},
          "the " + std::string{name_of(controller)} +
              " controller of the kernel's control groups " + why,
          std::move(way)};
}

// Whether root can make groups there, as it cannot in most containers.
bool takes_groups(const std::string& point) {
  struct statvfs st {};
  return shell_quoted(point) == point && ::statvfs(point.c_str(), &st) == 0 &&
         (st.f_flag & ST_RDONLY) == 0;
}

// A command for the caller's shell that moves the shell to a group of the caller's own.
std::string way_to_own_group(const std::string& point, const std::string& before,
                             const std::string& leaf) {
  const std::string uid = std::to_string(::geteuid());
  return "sudo sh -c 'D=" + point + "/shadow-" + uid + "; " + before + "mkdir -p $D" + leaf +
         " && chown -R " + uid + " $D && echo $0 >$D" + leaf + "/cgroup.procs' $$";
}

// True if a group below `dir` can have the controller: it is, or can be, switched on for children.
bool offers(const std::string& dir, std::string_view controller) {
  return lists(content(dir + "/cgroup.subtree_control"), ' ', controller) ||
         (lists(content(dir + "/cgroup.controllers"), ' ', controller) &&
          writable(dir + "/cgroup.subtree_control"));
}

// The root group alone may hold processes and children with controllers; it has no cgroup.type.
bool is_root_group(const std::string& dir) {
  return ::access((dir + "/cgroup.type").c_str(), F_OK) != 0;
}

struct Candidate {
  ControllerPlace::Kind kind = ControllerPlace::Kind::None;
  std::string dir;
  std::vector<Controller> offered;
};

// A process moves only between groups whose common ancestor's cgroup.procs the caller may write,
// and a group that has processes cannot switch controllers on for children (cgroup-v2.rst, "No
// Internal Process Constraint"): so an ancestor that is ours, or our own group if we are alone in
// it. Of those that offer equally many controllers the nearest, so that limits above it go on
// holding.
Candidate best_v2(const std::vector<Controller>& wanted, const Hierarchy& hierarchy,
                  const std::string& own, int self) {
  Candidate best;
  for (std::string dir = own; dir.size() >= hierarchy.point.size(); dir.erase(dir.rfind('/'))) {
    Candidate here{ControllerPlace::Kind::V2, dir, {}};
    if (dir == own && !is_root_group(dir)) {
      if (content(dir + "/cgroup.procs") != std::to_string(self)) {
        continue;
      }
      here.kind = ControllerPlace::Kind::V2Alone;
    }
    if (!writable(dir) || !writable(dir + "/cgroup.procs")) {
      continue;
    }
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(here.offered),
                 [&](Controller controller) { return offers(dir, name_of(controller)); });
    if (here.offered.size() > best.offered.size()) {
      best = std::move(here);
    }
  }
  return best;
}

// The group that the caller gets has processes in a leaf, since itself it hands controllers on.
std::string way_in_v2(const Hierarchy& hierarchy, std::string_view known) {
  if (!is_root_group(hierarchy.point) || !takes_groups(hierarchy.point)) {
    return {};
  }
  std::string on;
  for (const Controller controller : kAllControllers) {
    if (lists(known, ' ', name_of(controller))) {
      on += (on.empty() ? "+" : " +") + std::string{name_of(controller)};
    }
  }
  return way_to_own_group(hierarchy.point,
                          "echo " + on + " >" + hierarchy.point + "/cgroup.subtree_control && ",
                          "/shell");
}

void look_in_v2(CgroupHost& host, const std::vector<Controller>& wanted, const Hierarchy& hierarchy,
                std::string_view membership, int self) {
  const std::optional<std::string> own = own_group(membership, hierarchy, {});
  if (!own) {
    return;
  }
  const std::string known = content(hierarchy.point + "/cgroup.controllers");
  const Candidate best = best_v2(wanted, hierarchy, *own, self);
  for (const Controller controller : wanted) {
    ControllerPlace& place = host.places.at(static_cast<std::size_t>(controller));
    const bool offered =
        std::find(best.offered.begin(), best.offered.end(), controller) != best.offered.end();
    if (offered) {
      place = {best.kind, best.dir, {}};
    } else if (lists(known, ' ', name_of(controller))) {
      place = none(controller, "is not delegated to you", way_in_v2(hierarchy, known));
    }
  }
}

void look_in_v1(CgroupHost& host, const std::vector<Controller>& wanted, const Hierarchy& hierarchy,
                std::string_view membership) {
  for (const Controller controller : wanted) {
    if (!lists(hierarchy.options, ',', name_of(controller))) {
      continue;
    }
    const std::optional<std::string> own = own_group(membership, hierarchy, name_of(controller));
    ControllerPlace& place = host.places.at(static_cast<std::size_t>(controller));
    if (own && writable(*own)) {
      place = {ControllerPlace::Kind::V1, *own, {}};
    } else if (own && place.kind == ControllerPlace::Kind::None) {
      place = none(controller, "is not delegated to you",
                   takes_groups(*own) ? way_to_own_group(*own, {}, {}) : std::string{});
    }
  }
}

}  // namespace

std::string_view name_of(Controller controller) {
  constexpr std::array<std::string_view, kControllers> kNames = {"memory", "cpu", "pids"};
  return kNames.at(static_cast<std::size_t>(controller));
}

CgroupHost probe_cgroups(const std::vector<Controller>& wanted, std::string_view membership,
                         std::string_view mountinfo, int self) {
  CgroupHost host;
  for (const Controller controller : kAllControllers) {
    host.places.at(static_cast<std::size_t>(controller)) = none(controller, "is not available");
  }
  for (const Hierarchy& hierarchy : hierarchies(mountinfo)) {
    if (hierarchy.v2) {
      look_in_v2(host, wanted, hierarchy, membership, self);
    } else {
      look_in_v1(host, wanted, hierarchy, membership);
    }
  }
  return host;
}

CgroupHost probe_cgroups(const std::vector<Controller>& wanted) {
  CgroupHost host;
  if (!wanted.empty()) {
    host = probe_cgroups(wanted, content("/proc/self/cgroup"), content("/proc/self/mountinfo"),
                         ::getpid());
  }
  // sd_booted(3): the directory exists exactly where systemd is the init system.
  host.systemd = ::access("/run/systemd/system", F_OK) == 0;
  return host;
}

}  // namespace shadow::sandbox
