// SPDX-License-Identifier: MIT
#include "session/masks.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/layer.hpp"
#include "overlay/look.hpp"
#include "overlay/prune.hpp"
#include "sandbox/secret_paths.hpp"
#include "sys/beneath.hpp"
#include "sys/file.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

std::string layer_of(const sandbox::SessionPlan& plan) {
  return plan.home_view == sandbox::HomeView::ReadOnly ? sandbox::kReadOnlyHome
                                                       : sandbox::kHomeLayer;
}

std::string masks_of(const sandbox::SessionPlan& plan) {
  return layer_of(plan) + "/masks";
}

// What was masked last, and so what to look at before the next run. In the file its parts and their
// items end in NUL each, which no name holds.
struct Masked {
  std::string plan;                  // which home and secrets that was
  std::vector<std::string> pending;  // secrets whose directory did not exist
  std::vector<std::string> watched;  // directories of the upper that lead to masks, parents first
  std::int64_t when_ns = 0;
};

std::string name_of_plan(const std::string& home, const std::vector<std::string>& secrets) {
  return to_hex(hash_bytes(home + '\0' + join(secrets, std::string{'\0'})));
}

std::string to_text(const Masked& masked) {
  std::string text = masked.plan + '\0';
  for (const auto* list : {&masked.pending, &masked.watched}) {
    for (const std::string& item : *list) {
      text += "/" + item + '\0';
    }
    text += '\0';
  }
  return text;
}

std::optional<Masked> read_masked(const SessionDir& session, const std::string& name) {
  const auto text = sys::read_file_at(session.fd(), name);
  if (!text) {
    return std::nullopt;
  }
  const std::vector<std::string> items = split(*text, '\0');
  Masked masked;
  masked.plan = items[0];
  std::vector<std::string>* list = &masked.pending;
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (items[i].empty()) {
      list = &masked.watched;
      continue;
    }
    list->push_back(items[i].substr(1));
  }
  masked.when_ns = overlay::look_at(session.fd(), name).mtime_ns;
  return masked;
}

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

// When an entry of it was made, removed or replaced last; nullopt where there is no directory, or
// none that its owner may look into.
std::optional<std::int64_t> changed_at(int upper, const std::string& directory) {
  struct stat st {};
  const int looked = directory.empty()
                         ? ::fstat(upper, &st)
                         : ::fstatat(upper, directory.c_str(), &st, AT_SYMLINK_NOFOLLOW);
  if (looked != 0 || !S_ISDIR(st.st_mode)) {
    return std::nullopt;
  }
  constexpr std::int64_t kSecond = 1'000'000'000;
  return st.st_ctim.tv_sec * kSecond + st.st_ctim.tv_nsec;
}

// A parent comes before what is in it: that nobody put a link in the way is known by then. A change
// of the same tick of the clock counts.
bool any_changed(int upper, const Masked& masked) {
  return std::any_of(masked.watched.begin(), masked.watched.end(), [&](const std::string& one) {
    return changed_at(upper, one).value_or(masked.when_ns) >= masked.when_ns;
  });
}

sys::Fd open_upper(const SessionDir& session, const sandbox::SessionPlan& plan) {
  return sys::open_at(session.fd(), layer_of(plan) + "/upper", O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

std::vector<std::string> secrets_of(const sandbox::SessionPlan& plan) {
  std::vector<std::string> secrets = plan.secrets;
  if (plan.state.starts_with(plan.home + "/")) {
    secrets.push_back(plan.state.substr(plan.home.size() + 1));
  }
  return secrets;
}

}  // namespace

void seed_masks(const SessionDir& session, const sandbox::SessionPlan& plan) {
  const sys::Fd home = sys::open_path(plan.home, O_RDONLY | O_DIRECTORY);
  overlay::create_layer(session.fd(), layer_of(plan), home.get());
  const sys::Fd upper = open_upper(session, plan);
  const std::vector<std::string> secrets = secrets_of(plan);
  Masked masked;
  masked.plan = name_of_plan(plan.home, secrets);
  std::set<std::string> watched{""};
  for (const sandbox::SecretPaths& secret : sandbox::find_secrets(plan.home, secrets)) {
    if (!secret.directory_exists) {
      masked.pending.push_back(secret.name);
    }
    for (const std::string& path : secret.in_home) {
      overlay::mask(upper.get(), home.get(), path);
      for (std::string_view up = sys::split_path(path).parent; !up.empty();
           up = sys::split_path(up).parent) {
        watched.emplace(up);
      }
    }
  }
  // Where a run made something else of such a directory, or closed it, it has to change the parent,
  // or the directory itself, to have it back.
  std::copy_if(watched.begin(), watched.end(), std::back_inserter(masked.watched),
               [&](const std::string& one) { return changed_at(upper.get(), one).has_value(); });
  sys::replace_file_at(session.fd(), masks_of(plan), to_text(masked), S_IRUSR | S_IWUSR);
}

bool renew_masks(const SessionDir& session, const sandbox::SessionPlan& plan) {
  const auto masked = read_masked(session, masks_of(plan));
  const sys::Fd home = sys::open_path(plan.home, O_RDONLY | O_DIRECTORY);
  if (masked && masked->plan == name_of_plan(plan.home, secrets_of(plan)) &&
      !any_parent_exists(home.get(), masked->pending) &&
      !any_changed(open_upper(session, plan).get(), *masked)) {
    return false;
  }
  seed_masks(session, plan);
  return true;
}

}  // namespace shadow
