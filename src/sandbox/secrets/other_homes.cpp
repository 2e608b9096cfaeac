// SPDX-License-Identifier: MIT
#include "sandbox/secrets/other_homes.hpp"

#include "base/text.hpp"
#include "sandbox/secrets/secret_paths.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

// Below it are the users of services, by Debian's numbers and others'.
constexpr uid_t kFirstWhoLogsIn = 1000;

// By the file and not by the C library's service switch, which loads shared libraries. From memory:
// fgetpwent asks the kernel twice for each line where it is, and this is part of every run.
std::vector<std::string> homes_in_passwd(const std::function<bool(uid_t)>& wanted) {
  std::vector<std::string> homes;
  const sys::Fd passwd_file = sys::try_open_at(AT_FDCWD, "/etc/passwd", O_RDONLY | O_NONBLOCK);
  std::string text = passwd_file ? sys::read_all(passwd_file.get()) : std::string{};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{
      text.empty() ? nullptr : ::fmemopen(text.data(), text.size(), "r"), &std::fclose};
  while (file) {
    const passwd* entry = ::fgetpwent(file.get());  // NOLINT(concurrency-mt-unsafe): one thread
    if (entry == nullptr) {
      break;
    }
    if (wanted(entry->pw_uid)) {
      homes.emplace_back(entry->pw_dir);
    }
  }
  return homes;
}

// Root reads all homes, so that those of everybody who may have something to hide count.
std::vector<std::string> homes_for_root(const std::string& project) {
  struct stat of_project {};
  const uid_t owner = ::stat(project.c_str(), &of_project) == 0 ? of_project.st_uid : 0;
  std::vector<std::string> homes =
      homes_in_passwd([owner](uid_t uid) { return uid >= kFirstWhoLogsIn || uid == owner; });
  homes.emplace_back("/root");
  if (const sys::Fd all = sys::try_open_at(AT_FDCWD, "/home", O_RDONLY | O_DIRECTORY)) {
    for (const sys::DirEntry& entry : sys::list_dir(all.get())) {
      homes.push_back("/home/" + entry.name);
    }
  }
  return homes;
}

bool contains(const std::string& directory, const std::string& path) {
  return path == directory || path.starts_with(directory + "/");
}

}  // namespace

std::vector<std::string> homes_of_others(const std::string& home, const std::string& project) {
  const uid_t caller = ::geteuid();
  // HOME may be unset, or name another directory: the caller's own secrets stay where they are.
  const std::vector<std::string> named =
      caller == 0 ? homes_for_root(project)
                  : homes_in_passwd([caller](uid_t uid) { return uid == caller; });
  std::set<std::string> homes;
  for (const std::string& one : named) {
    if (one == home) {
      continue;  // canonical already
    }
    const auto real = sys::real_path(one);
    struct stat st {};
    if (real && *real != "/" && ::stat(real->c_str(), &st) == 0 && S_ISDIR(st.st_mode)) {
      homes.insert(*real);
    }
  }
  homes.erase(home);
  return {homes.begin(), homes.end()};
}

std::vector<std::string> secrets_of_others(const SessionPlan& plan) {
  std::vector<std::string> paths;
  for (const std::string& home : plan.other_homes) {
    for (const SecretPaths& secret : find_secrets(home, plan.secrets)) {
      for (const std::string& name : secret.in_home) {
        const std::string path = sys::join_path(home, name);
        struct stat st {};
        const bool of_project = contains(path, plan.project) || contains(plan.project, path) ||
                                (!plan.git_dir.empty() && contains(path, plan.git_dir));
        const bool of_own_home = !plan.home.empty() && contains(plan.home, path);
        if (!of_project && !of_own_home && ::lstat(path.c_str(), &st) == 0) {
          paths.push_back(path);
        }
      }
    }
  }
  return paths;
}

}  // namespace shadow::sandbox
