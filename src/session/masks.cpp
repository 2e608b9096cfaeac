// SPDX-License-Identifier: MIT
#include "session/masks.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/prune.hpp"
#include "sys/beneath.hpp"
#include "sys/file.hpp"

#include <climits>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

constexpr const char* kPending = "unmasked";

bool is_directory(int home, std::string_view path) {
  return path.empty() || static_cast<bool>(sys::try_open_beneath(home, path, O_PATH | O_DIRECTORY));
}

bool parent_exists(int home, const std::string& path) {
  return is_directory(home, sys::split_path(path).parent);
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
    if (is_directory(home, parent)) {
      return true;
    }
    missing = parent;
  }
  return false;
}

// Dotfiles are often links into a directory elsewhere in the home: mask what they lead to as well.
void mask_target(int upper, int home, const std::string& home_path, const std::string& secret) {
  const std::unique_ptr<char, decltype(&std::free)> real{
      ::realpath((home_path + "/" + secret).c_str(), nullptr), &std::free};
  if (real && std::string_view{real.get()}.starts_with(home_path + "/")) {
    overlay::mask(upper, home, real.get() + home_path.size() + 1);
  }
}

void mask_all(const SessionDir& session, const std::string& home_path,
              const std::vector<std::string>& secrets) {
  const sys::Fd upper =
      sys::open_at(session.fd(), "home/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const sys::Fd home = sys::open_path(home_path, O_RDONLY | O_DIRECTORY);
  std::string pending;
  for (const std::string& secret : secrets) {
    if (parent_exists(home.get(), secret)) {
      overlay::mask(upper.get(), home.get(), secret);
    } else {
      pending += secret + "\n";
    }
    mask_target(upper.get(), home.get(), home_path, secret);
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
