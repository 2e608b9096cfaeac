// SPDX-License-Identifier: MIT
#include "attack.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace escape {
namespace {

// mountinfo writes space, tab, newline and backslash as three octal digits.
std::string unescaped(const std::string& word) {
  constexpr std::size_t kDigits = 3;
  std::string out;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '\\' && at + kDigits < word.size()) {
      out += static_cast<char>(std::strtol(word.substr(at + 1, kDigits).c_str(), nullptr, 8));
      at += kDigits;
    } else {
      out += word[at];
    }
  }
  return out;
}

int levels = 0;
std::vector<int> at_start;

}  // namespace

void note_descriptors() {
  constexpr int kMost = 4096;
  for (int fd = STDERR_FILENO + 1; fd < kMost; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) {
      at_start.push_back(fd);
    }
  }
}

const std::vector<int>& descriptors_at_start() {
  return at_start;
}

int nested_levels() {
  return levels;
}

bool has_landlock_scopes() {
  constexpr long kScopeAbi = 6;
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >=
         kScopeAbi;
}

Bait Bait::read(const std::string& path) {
  Bait bait;
  std::ifstream file{path};
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) {
      bait.values_[line.substr(0, equals)] = line.substr(equals + 1);
    }
  }
  return bait;
}

std::string Bait::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    (void)std::fprintf(stderr, "attack: the driver gave no '%s'\n", name.c_str());
    std::abort();
  }
  return found->second;
}

int Bait::number(const std::string& name) const {
  constexpr int kDecimal = 10;
  return static_cast<int>(std::strtol(text(name).c_str(), nullptr, kDecimal));
}

std::string errno_name() {
  const char* name = ::strerrorname_np(errno);
  return name != nullptr ? name : "errno " + std::to_string(errno);
}

std::string outcome(long result) {
  return result >= 0 ? "OK" : errno_name();
}

bool Mount::has(const std::string& option) const {
  return ("," + options + ",").find("," + option + ",") != std::string::npos;
}

std::vector<Mount> mounts() {
  std::vector<Mount> all;
  std::ifstream file{"/proc/self/mountinfo"};
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words{line};
    Mount mount;
    std::string skipped;
    words >> mount.id >> mount.parent >> skipped >> skipped >> mount.point >> mount.options;
    while (words >> skipped && skipped != "-") {
    }
    words >> mount.type >> skipped >> mount.super;
    mount.point = unescaped(mount.point);
    all.push_back(mount);
  }
  return all;
}

std::string held_unless(const std::vector<std::string>& leaked) {
  if (leaked.empty()) {
    return "held";
  }
  constexpr std::size_t kShown = 6;
  std::string out = "LEAK:";
  for (std::size_t at = 0; at < std::min(leaked.size(), kShown); ++at) {
    out += " " + leaked[at];
  }
  return leaked.size() > kShown ? out + " ..." : out;
}

std::string try_open(const std::string& path, int flags) {
  constexpr mode_t kMode = 0600;
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, kMode);
  std::string result = outcome(fd);
  if (fd >= 0) {
    ::close(fd);
  }
  return result;
}

std::string try_write(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return errno_name();
  }
  std::string result = outcome(::write(fd, text.data(), text.size()));
  ::close(fd);
  return result;
}

std::string nest() {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    return "unshare: " + errno_name();
  }
  ++levels;
  // Refused by kernels since 5.12 to a uid 0 without CAP_SETFCAP; all capabilities are there
  // without a map too, and the kernel's own ids still own their files.
  (void)try_write("/proc/self/setgroups", "deny");
  (void)try_write("/proc/self/uid_map", "0 " + std::to_string(uid) + " 1");
  (void)try_write("/proc/self/gid_map", "0 " + std::to_string(gid) + " 1");
  ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return {};
}

}  // namespace escape
