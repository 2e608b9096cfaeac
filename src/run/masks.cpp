// SPDX-License-Identifier: MIT
#include "run/masks.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/format/layer.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/prune.hpp"
#include "run/directory_notes.hpp"
#include "sandbox/secrets/secret_paths.hpp"
#include "sandbox/secrets/secret_rules.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::run {
namespace {

std::string layer_of(const sandbox::SessionPlan& plan) {
  return plan.home_view == sandbox::HomeView::ReadOnly ? sandbox::kReadOnlyHome
                                                       : sandbox::kHomeLayer;
}

std::string masks_of(const sandbox::SessionPlan& plan) {
  return layer_of(plan) + "/masks";
}

// The last masks, which tell what to look at before the next run. In the file the parts and their
// items each end in NUL, which no name contains.
struct Masked {
  std::string plan;                  // hash of the home and its secrets
  std::vector<std::string> pending;  // secrets whose directory did not exist
  std::vector<std::string> watched;  // directories of the upper that lead to masks, parents first
  std::vector<std::string> masks;    // paths
  std::vector<std::string> ruled;    // names that the rules found in the real home
  std::vector<std::string>
      looked;  // where they looked, with the time of the directory's last change
  std::vector<std::string> programs;  // likewise, directories of one program each
  std::int64_t when_ns = 0;           // the file's mtime: all that was lifted since is to be found
};

std::string name_of_plan(const std::string& home, const std::vector<std::string>& secrets) {
  constexpr const char* kForm = "5";  // of the file, and of the rules
  return to_hex(hash_bytes(kForm + home + '\0' + join(secrets, std::string{'\0'})));
}

std::string to_text(const Masked& masked) {
  std::string text = masked.plan + '\0';
  for (const auto* list : {&masked.pending, &masked.watched, &masked.masks, &masked.ruled,
                           &masked.looked, &masked.programs}) {
    for (const std::string& item : *list) {
      text += "/" + item + '\0';
    }
    text += '\0';
  }
  return text;
}

// Takes it off; "" at the end of a part, or of the text.
std::string_view first_item(std::string_view& text) {
  const std::string_view item = text.substr(0, text.find('\0'));
  text.remove_prefix(std::min(item.size() + 1, text.size()));
  return item;
}

std::optional<Masked> read_masked(const session::SessionDir& session, const std::string& name) {
  const auto text = sys::read_file_at(session.fd(), name);
  if (!text) {
    return std::nullopt;
  }
  Masked masked;
  const std::array lists = {&masked.pending, &masked.watched, &masked.masks,
                            &masked.ruled,   &masked.looked,  &masked.programs};
  std::string_view rest = *text;
  masked.plan = first_item(rest);
  for (std::vector<std::string>* list : lists) {
    for (std::string_view item = first_item(rest); !item.empty(); item = first_item(rest)) {
      list->emplace_back(item.substr(1));
    }
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

// The filesystem stamps what happens from now on with this time or a later one.
std::int64_t stamp_now() {
  return sys::coarse_now_ns();
}

void set_stamp(const session::SessionDir& session, const std::string& name, std::int64_t when_ns) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  const timespec when{when_ns / kNanoseconds, when_ns % kNanoseconds};
  const std::array<timespec, 2> times = {when, when};
  if (::utimensat(session.fd(), name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0) {
    throw_errno("note when the home was masked");
  }
}

enum class Found : std::uint8_t { Unchanged, Whole, Lifted };

// A parent comes before what is in it: that nobody put a link in the way is known by then. A change
// of the same tick of the clock counts.
Found look_for_lifted(int upper, const Masked& masked) {
  std::set<std::string_view> changed;
  std::set<std::string_view> unchanged;
  for (const std::string& directory : masked.watched) {
    const auto at = changed_at(upper, directory);
    if (!at) {
      return Found::Lifted;
    }
    (*at >= masked.when_ns ? changed : unchanged).insert(directory);
  }
  if (changed.empty()) {
    return Found::Unchanged;
  }
  const bool lifted =
      std::any_of(masked.masks.begin(), masked.masks.end(), [&](const std::string& path) {
        struct stat st {};
        return unchanged.count(sys::split_path(path).parent) == 0 &&
               ::fstatat(upper, path.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0;
      });
  return lifted ? Found::Lifted : Found::Whole;
}

sys::Fd open_upper(const session::SessionDir& session, const sandbox::SessionPlan& plan) {
  return sys::open_at(session.fd(), layer_of(plan) + "/upper", sys::kDirPath);
}

std::vector<std::string> secrets_of(const sandbox::SessionPlan& plan) {
  std::vector<std::string> secrets = plan.secrets;
  if (plan.state.starts_with(plan.home + "/")) {
    secrets.push_back(plan.state.substr(plan.home.size() + 1));
  }
  return secrets;
}

// The project's path as the rules take it.
std::string project_in_home(const sandbox::SessionPlan& plan) {
  return plan.project.starts_with(plan.home + "/") ? plan.project.substr(plan.home.size() + 1) : "";
}

void look_by_rule(int home, const sandbox::SessionPlan& plan, Masked& masked) {
  const std::int64_t when_ns = stamp_now();
  sandbox::RuleSecrets found =
      sandbox::secrets_by_rule(home, secrets_of(plan), project_in_home(plan));
  masked.ruled = std::move(found.names);
  std::sort(masked.ruled.begin(), masked.ruled.end());
  masked.looked = notes_of(home, found.looked, when_ns);
  masked.programs = notes_of(home, found.programs, when_ns);
}

void write_masked(const session::SessionDir& session, const sandbox::SessionPlan& plan,
                  const Masked& masked) {
  sys::replace_file_at(session.fd(), masks_of(plan), to_text(masked), S_IRUSR | S_IWUSR);
  set_stamp(session, masks_of(plan), masked.when_ns);
}

// True if there is now a directory for the rules that did not exist before.
bool has_new_place(int home, const sandbox::SessionPlan& plan, const Masked& masked) {
  std::set<std::string> looked;
  for (const std::string& note : masked.looked) {
    looked.insert(directory_of(note));
  }
  std::string_view missing;
  for (const std::string& place : sandbox::directories_of_rules(secrets_of(plan))) {
    if (looked.contains(place) || (!missing.empty() && is_at_or_below(place, missing))) {
      continue;
    }
    if (changed_at(home, place, Links::Follow)) {
      return true;
    }
    missing = place;
  }
  return false;
}

bool has_other_name(const Masked& masked, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&masked](const std::string& name) {
    return !std::binary_search(masked.ruled.begin(), masked.ruled.end(), name);
  });
}

// True if the real home has something new to mask. Usually nothing has changed in it, and this
// costs no more than finding that out.
bool has_new_secrets(const session::SessionDir& session, const sandbox::SessionPlan& plan, int home,
                     Masked& masked) {
  const std::int64_t when_ns = stamp_now();
  const Changed changed = changed_since(home, masked.looked);
  if (changed.directories.empty() && !changed.vanished) {
    return false;
  }
  if (changed.vanished || any_parent_exists(home, masked.pending) ||
      has_new_place(home, plan, masked)) {
    return true;
  }
  const sandbox::RuleSecrets found = sandbox::secrets_by_rule_in(
      home, changed.directories, secrets_of(plan), project_in_home(plan));
  if (has_other_name(masked, found.names)) {
    return true;
  }
  renew_notes(home, changed.directories, when_ns, masked.looked);
  renew_notes(home, found.programs, when_ns, masked.programs);
  write_masked(session, plan, masked);
  return false;
}

// There may be hundreds of such directories. Whoever starts one run after another, as agents do,
// has them looked at every so often; whoever has just logged in somewhere, before the next run.
bool are_programs_due(const Entry& last, std::int64_t now_ns) {
  constexpr std::int64_t kPauseNs = 2'000'000'000;
  return !last.exists() || last.mtime_ns > now_ns || now_ns - last.mtime_ns >= kPauseNs;
}

bool have_new_secrets_in_programs(const session::SessionDir& session,
                                  const sandbox::SessionPlan& plan, int home, Masked& masked) {
  const std::int64_t when_ns = stamp_now();
  const std::string marker = layer_of(plan) + "/looked";
  const Entry last = overlay::look_at(session.fd(), marker);
  if (!are_programs_due(last, when_ns)) {
    return false;
  }
  const Changed changed = changed_since(home, masked.programs);
  const sandbox::RuleSecrets found =
      changed.directories.empty()
          ? sandbox::RuleSecrets{}
          : sandbox::secrets_in_programs(home, changed.directories, secrets_of(plan),
                                         project_in_home(plan));
  if (has_other_name(masked, found.names)) {
    return true;
  }
  if (!changed.directories.empty()) {
    renew_notes(home, changed.directories, when_ns, masked.programs);
    write_masked(session, plan, masked);
  }
  if (!last.exists()) {
    sys::replace_file_at(session.fd(), marker, "", S_IRUSR | S_IWUSR);
  }
  set_stamp(session, marker, when_ns);
  return false;
}

}  // namespace

void seed_masks(const session::SessionDir& session, const sandbox::SessionPlan& plan) {
  const sys::Fd home = sys::open_path(plan.home, O_RDONLY | O_DIRECTORY);
  overlay::create_layer(session.fd(), layer_of(plan), home.get());
  const sys::Fd upper = open_upper(session, plan);
  const std::vector<std::string> secrets = secrets_of(plan);
  Masked masked;
  masked.plan = name_of_plan(plan.home, secrets);
  // Before anything is looked at: live runs go on meanwhile.
  masked.when_ns = stamp_now();
  look_by_rule(home.get(), plan, masked);
  std::vector<std::string> all = secrets;
  all.insert(all.end(), masked.ruled.begin(), masked.ruled.end());
  std::set<std::string> watched{""};
  for (const sandbox::SecretPaths& secret : sandbox::find_secrets(plan.home, all)) {
    if (!secret.directory_exists) {
      masked.pending.push_back(secret.name);
    }
    for (const std::string& path : secret.in_home) {
      masked.masks.push_back(path);
      for (std::string_view up = sys::split_path(path).parent; !up.empty();
           up = sys::split_path(up).parent) {
        watched.emplace(up);
      }
    }
  }
  overlay::mask_all(upper.get(), home.get(), masked.masks);
  // A run that replaced such a directory, or removed its permissions, must change the parent or the
  // directory itself to undo that.
  std::copy_if(watched.begin(), watched.end(), std::back_inserter(masked.watched),
               [&](const std::string& one) { return changed_at(upper.get(), one).has_value(); });
  write_masked(session, plan, masked);
}

bool renew_masks(const session::SessionDir& session, const sandbox::SessionPlan& plan) {
  const std::int64_t now = stamp_now();
  auto masked = read_masked(session, masks_of(plan));
  const sys::Fd home = sys::open_path(plan.home, O_RDONLY | O_DIRECTORY);
  if (masked && masked->plan == name_of_plan(plan.home, secrets_of(plan)) &&
      !has_new_secrets(session, plan, home.get(), *masked) &&
      !have_new_secrets_in_programs(session, plan, home.get(), *masked)) {
    const Found found = look_for_lifted(open_upper(session, plan).get(), *masked);
    if (found == Found::Whole) {
      set_stamp(session, masks_of(plan), now);
    }
    if (found != Found::Lifted) {
      return false;
    }
  }
  seed_masks(session, plan);
  return true;
}

}  // namespace shadow::run
