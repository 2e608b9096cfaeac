// SPDX-License-Identifier: MIT
#include "session/masks.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/prune.hpp"
#include "sandbox/secret_paths.hpp"
#include "sys/beneath.hpp"
#include "sys/file.hpp"

#include <set>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

constexpr const char* kPending = "unmasked";

// Following links, which are the user's own.
bool is_directory(int home, const std::string& path) {
  return path.empty() ||
         static_cast<bool>(sys::try_open_at(home, path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// Each directory is looked for once, and none below one that is missing: every run asks this.
bool any_parent_exists(int home, const std::vector<std::string>& paths) {
  std::set<std::string_view> parents;
  for (const std::string& path : paths) {
    parents.insert(sys::split_path(path).parent);
  }
  std::string_view missing;
  for (const std::string_view parent : parents) {
    if (!missing.empty() && is_at_or_below(parent, missing)) {
      continue;
    }
    if (is_directory(home, std::string{parent})) {
      return true;
    }
    missing = parent;
  }
  return false;
}

void mask_all(const SessionDir& session, const std::string& home_path,
              const std::vector<std::string>& secrets) {
  const sys::Fd upper =
      sys::open_at(session.fd(), "home/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const sys::Fd home = sys::open_path(home_path, O_RDONLY | O_DIRECTORY);
  std::string pending;
  for (const sandbox::SecretPaths& secret : sandbox::find_secrets(home_path, secrets)) {
    if (!secret.directory_exists) {
      pending += secret.name + "\n";
    }
    for (const std::string& path : secret.in_home) {
      overlay::mask(upper.get(), home.get(), path);
    }
  }
  sys::replace_file_at(session.fd(), kPending, pending, S_IRUSR | S_IWUSR);
}

}  // namespace

void seed_masks(const SessionDir& session, const sandbox::SessionPlan& plan) {
  std::vector<std::string> secrets = plan.secrets;
  if (plan.state.starts_with(plan.home + "/")) {
    secrets.push_back(plan.state.substr(plan.home.size() + 1));
  }
  mask_all(session, plan.home, secrets);
}

void renew_masks(const SessionDir& session, const sandbox::SessionPlan& plan) {
  const auto pending = sys::read_file_at(session.fd(), kPending);
  if (!pending || pending->empty()) {
    return;
  }
  const sys::Fd home = sys::open_path(plan.home, O_RDONLY | O_DIRECTORY);
  std::vector<std::string> secrets = split(*pending, '\n');
  secrets.pop_back();
  if (any_parent_exists(home.get(), secrets)) {
    mask_all(session, plan.home, secrets);
  }
}

}  // namespace shadow
