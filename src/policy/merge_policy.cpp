// SPDX-License-Identifier: MIT
// Putting the layers together, and refusing what would undo the isolation.
#include "policy/merge_policy.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "policy/profile.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/stat.h>

namespace shadow::policy {
namespace {

template <class Value>
void take(Setting<Value>& setting, const std::optional<Value>& said, Origin origin) {
  if (said) {
    setting = {*said, origin};
  }
}

// A later rule for the same subject replaces the earlier one and moves to the end, so that the
// order of the list is the order of precedence.
template <class Rule, class Same>
void put_rule(std::vector<Rule>& rules, Rule rule, Origin origin, Same same) {
  rules.erase(std::remove_if(rules.begin(), rules.end(),
                             [&](const Rule& other) { return same(other, rule); }),
              rules.end());
  rule.origin = origin;
  rules.push_back(std::move(rule));
}

void lay_over(Policy& policy, const PolicyLayer& layer) {
  take(policy.net, layer.net, layer.origin);
  take(policy.home, layer.home, layer.origin);
  take(policy.clear_env, layer.clear_env, layer.origin);
  take(policy.hide_secrets, layer.hide_secrets, layer.origin);
  take(policy.die_with_parent, layer.die_with_parent, layer.origin);
  take(policy.only, layer.only, layer.origin);
  for (std::size_t i = 0; i < kLimitKinds; ++i) {
    take(policy.limits.at(i), layer.limits.at(i), layer.origin);
  }
  for (const PathRule& rule : layer.paths) {
    put_rule(policy.paths, rule, layer.origin,
             [](const PathRule& a, const PathRule& b) { return a.path == b.path; });
  }
  for (const EnvRule& rule : layer.env) {
    put_rule(policy.env, rule, layer.origin,
             [](const EnvRule& a, const EnvRule& b) { return a.name == b.name; });
  }
  policy.secrets.insert(policy.secrets.end(), layer.secrets.begin(), layer.secrets.end());
  policy.secret_patterns.insert(policy.secret_patterns.end(), layer.secret_patterns.begin(),
                                layer.secret_patterns.end());
}

// True if `path` is `root` or below it.
bool within(const std::string& path, const std::string& root) {
  return !root.empty() &&
         (root == "/" || path == root ||
          (path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/'));
}

// True if `path` is `place` or contains it.
bool reaches(const std::string& path, const std::string& place) {
  return !place.empty() && within(place, path);
}

std::string_view option_of(Access access) {
  switch (access) {
    case Access::ReadOnly:
      return "--ro";
    case Access::ReadWrite:
      return "--rw";
    case Access::Hidden:
      break;
  }
  return "--hide";
}

[[noreturn]] void refuse(const PathRule& rule, const std::string& why, const std::string& hint) {
  throw Error{
      "cannot take " + std::string{option_of(rule.access)} + " " + quoted(rule.path) + ": " + why,
      hint};
}

void check_read_write(const PathRule& rule, const PolicyPlaces& places) {
  if (reaches(rule.path, places.project)) {
    refuse(rule, "it is or contains the project, whose changes are to be reviewed",
           "name a directory inside the project to leave just that out of review");
  }
  if (reaches(rule.path, places.home)) {
    refuse(rule, "it is or contains the home directory", "name what is needed inside it");
  }
  // Kernel interfaces change the host itself; single devices below /dev may be named.
  if (within(rule.path, "/proc") || within(rule.path, "/sys") || rule.path == "/dev") {
    refuse(rule, "it is an interface of the kernel", {});
  }
}

void check_hidden(const PathRule& rule, const PolicyPlaces& places) {
  if (reaches(rule.path, places.project)) {
    refuse(rule, "it is or contains the project", {});
  }
  if (reaches(rule.path, places.home)) {
    refuse(rule, "it is or contains the home directory", "use --home=private for an empty home");
  }
  constexpr std::array kNeeded = {"/proc", "/dev", "/tmp"};
  if (std::find(kNeeded.begin(), kNeeded.end(), rule.path) != kNeeded.end()) {
    refuse(rule, "every run has its own", {});
  }
}

// A mount that is read-only keeps nobody from connecting.
void check_no_socket(const PathRule& rule) {
  struct stat st {};
  if (::lstat(rule.path.c_str(), &st) == 0 && S_ISSOCK(st.st_mode)) {
    refuse(rule, "it is a socket, to which whoever sees it can connect",
           "--rw " + shell_quoted(rule.path) + " says so, if runs are to speak to that service");
  }
  if (S_ISDIR(st.st_mode) && (within(rule.path, "/run") || reaches(rule.path, "/run"))) {
    refuse(rule, "sockets of the host's services lie in it, to which whoever sees them can connect",
           "name the files in it that are needed");
  }
}

void check_rule(const PathRule& rule, const PolicyPlaces& places) {
  if (rule.access != Access::Hidden &&
      (reaches(rule.path, places.state) || within(rule.path, places.state))) {
    refuse(rule, "it would show shadow's own state", {});
  }
  switch (rule.access) {
    case Access::ReadOnly:
      if (rule.path == places.home) {
        refuse(rule, "it is the home directory", "use --home=ro");
      }
      return check_no_socket(rule);
    case Access::ReadWrite:
      return check_read_write(rule, places);
    case Access::Hidden:
      return check_hidden(rule, places);
  }
}

// A rule's path, as it was written and where that leads.
struct Place {
  Access access = Access::Hidden;
  std::string written;
  std::string real;
};

// A link in a directory that runs may write can be theirs, wherever it leads.
void check_links(const PathRule& rule, const std::string& written, const std::vector<Place>& all) {
  for (const Place& other : all) {
    const bool below = within(written, other.written) || within(written, other.real);
    if (other.access == Access::ReadWrite && below && !within(rule.path, other.real)) {
      refuse(rule,
             "a link in " + quoted(other.written) + " leads there, which runs could make by --rw",
             "name " + quoted(rule.path) + " itself if it is meant");
    }
  }
}

void check_only(Policy& policy, const PolicyPlaces& places) {
  std::string& path = policy.only.value;
  const std::optional<std::string> real = sys::real_path(path);
  struct stat st {};
  if (!real || ::stat(real->c_str(), &st) != 0) {
    throw SysError{errno, "work on " + quoted(path) + " only"};
  }
  if (!S_ISREG(st.st_mode)) {
    throw Error{"cannot work on " + quoted(path) + " only: not a regular file"};
  }
  path = *real;
  if (!within(path, places.project)) {
    throw Error{"cannot work on " + quoted(path) + " only: it is not in the project " +
                    quoted(places.project),
                "change into its project, or name that: -C DIR"};
  }
  if (within(path, places.state)) {
    throw Error{"cannot work on " + quoted(path) + " only: it is part of shadow's own state"};
  }
}

}  // namespace

Policy merge_policy(std::vector<PolicyLayer> layers, const PolicyPlaces& places) {
  std::stable_sort(layers.begin(), layers.end(),
                   [](const PolicyLayer& a, const PolicyLayer& b) { return a.origin < b.origin; });
  Policy policy;
  for (const PolicyLayer& layer : layers) {
    take(policy.profile, layer.profile, layer.origin);
  }
  lay_over(policy, profile_layer(policy.profile.value, places));
  for (const PolicyLayer& layer : layers) {
    lay_over(policy, layer);
  }
  return policy;
}

void check_policy(Policy& policy, const PolicyPlaces& places) {
  std::vector<PathRule> kept;
  kept.reserve(policy.paths.size());
  std::vector<Place> all;
  for (const PathRule& rule : policy.paths) {
    std::optional<std::string> real = sys::real_path(rule.path);
    if (!real && rule.origin == Origin::Profile) {
      policy.missing.push_back(rule.path);
      continue;
    }
    // A path to hide may come later; one to show must be there to be shown.
    if (!real && rule.access != Access::Hidden) {
      throw SysError{errno,
                     "take " + std::string{option_of(rule.access)} + " " + quoted(rule.path)};
    }
    kept.push_back(rule);
    kept.back().path = std::move(real).value_or(rule.path);
    all.push_back({rule.access, rule.path, kept.back().path});
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (all[i].written != all[i].real) {
      check_links(kept[i], all[i].written, all);
    }
    check_rule(kept[i], places);
  }
  policy.paths = std::move(kept);
  if (!policy.only.value.empty()) {
    check_only(policy, places);
  }
}

}  // namespace shadow::policy
