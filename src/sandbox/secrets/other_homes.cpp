// SPDX-License-Identifier: MIT
#include "sandbox/secrets/other_homes.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sandbox/secrets/secret_paths.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

// What passwd(5) names as the home of users who have none.
constexpr std::array<std::string_view, 16> kNobodys = {
    "/",     "/bin", "/boot", "/dev", "/etc", "/lib",     "/proc",      "/run",
    "/sbin", "/sys", "/tmp",  "/usr", "/var", "/usr/bin", "/usr/games", "/usr/sbin"};

bool is_nobodys(const std::string& home) {
  return std::find(kNobodys.begin(), kNobodys.end(), home) != kNobodys.end();
}

// Those that may be in this home. Most homes have few of the hundreds, and a service's none.
std::vector<std::string> names_in(const std::string& home,
                                  const std::vector<std::string>& secrets) {
  const sys::Fd dir = sys::try_open_at(AT_FDCWD, home, O_RDONLY | O_DIRECTORY);
  if (!dir) {
    return secrets;
  }
  std::set<std::string> names;  // in small letters: a filesystem may take both for one
  for (const sys::DirEntry& entry : sys::list_dir(dir.get())) {
    names.insert(lower_ascii(entry.name));
  }
  std::vector<std::string> found;
  std::copy_if(secrets.begin(), secrets.end(), std::back_inserter(found),
               [&names](const std::string& secret) {
                 return names.count(lower_ascii(secret.substr(0, secret.find('/')))) != 0;
               });
  return found;
}

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

uid_t owner_of(const std::string& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0 ? st.st_uid : 0;
}

// The names in a directory of homes; of one that is root's, a domain's of a directory service, say
// ("/home/EXAMPLE/alice"), those in that.
void add_homes_in(const std::string& directory, int depth, std::vector<std::string>& homes) {
  const sys::Fd all = sys::try_open_at(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : all ? sys::list_dir(all.get()) : std::vector<sys::DirEntry>{}) {
    const std::string home = directory + "/" + entry.name;
    homes.push_back(home);
    if (depth > 1 && owner_of(home) == 0) {
      add_homes_in(home, depth - 1, homes);
    }
  }
}

// Whom the project belongs to may be known to no passwd(5) here: the topmost directory above it
// that is that user's.
void add_home_above(const std::string& project, std::vector<std::string>& homes) {
  const uid_t owner = owner_of(project);
  std::string topmost;
  for (std::string_view above = sys::split_path(project).parent; above.size() > 1;
       above = sys::split_path(above).parent) {
    if (owner != 0 && owner_of(std::string{above}) == owner) {
      topmost = above;
    }
  }
  if (!topmost.empty()) {
    homes.push_back(topmost);
  }
}

// Root reads all homes, so that those of everybody who may have something to hide count.
std::vector<std::string> homes_for_root(const std::string& project) {
  std::vector<std::string> homes = homes_in_passwd([](uid_t) { return true; });
  homes.emplace_back("/root");
  add_homes_in("/home", 2, homes);
  add_home_above(project, homes);
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
    if (real && !is_nobodys(*real) && ::stat(real->c_str(), &st) == 0 && S_ISDIR(st.st_mode)) {
      homes.insert(*real);
    }
  }
  homes.erase(home);
  return {homes.begin(), homes.end()};
}

std::vector<std::string> secrets_of_others(const SessionPlan& plan) {
  std::vector<std::string> paths;
  for (const std::string& home : plan.other_homes) {
    for (const SecretPaths& secret : find_secrets(home, names_in(home, plan.secrets))) {
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
