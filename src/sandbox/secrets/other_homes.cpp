// SPDX-License-Identifier: MIT
#include "sandbox/secrets/other_homes.hpp"

#include "base/text.hpp"
#include "sandbox/secrets/secret_paths.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/real_path.hpp"

#include <cstdio>
#include <memory>
#include <set>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

// Below it are the users of services, by Debian's numbers and others'.
constexpr uid_t kFirstWhoLogsIn = 1000;

// By the file and not by the C library's service switch, which loads shared libraries.
std::vector<std::string> homes_in_passwd(uid_t owner) {
  std::vector<std::string> homes;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen("/etc/passwd", "re"),
                                                             &std::fclose};
  while (file) {
    const passwd* entry = ::fgetpwent(file.get());  // NOLINT(concurrency-mt-unsafe): one thread
    if (entry == nullptr) {
      break;
    }
    if (entry->pw_uid >= kFirstWhoLogsIn || entry->pw_uid == owner) {
      homes.emplace_back(entry->pw_dir);
    }
  }
  return homes;
}

bool contains(const std::string& directory, const std::string& path) {
  return path == directory || path.starts_with(directory + "/");
}

}  // namespace

std::vector<std::string> homes_of_others(const std::string& home, const std::string& project) {
  if (::geteuid() != 0) {
    return {};
  }
  struct stat of_project {};
  std::vector<std::string> named =
      homes_in_passwd(::stat(project.c_str(), &of_project) == 0 ? of_project.st_uid : 0);
  named.emplace_back("/root");
  if (const sys::Fd all = sys::try_open_at(AT_FDCWD, "/home", O_RDONLY | O_DIRECTORY)) {
    for (const sys::DirEntry& entry : sys::list_dir(all.get())) {
      named.push_back("/home/" + entry.name);
    }
  }
  std::set<std::string> homes;
  for (const std::string& one : named) {
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
        const std::string path = home + "/" + name;
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
