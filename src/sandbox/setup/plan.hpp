// SPDX-License-Identifier: MIT
// A run as data: decided before any system call, printable and testable without executing it.
// SessionPlan is what all live runs of a session share; RunPlan is one command's own.

#pragma once

#include "policy/policy.hpp"
#include "sandbox/bounds/limits.hpp"
#include "sys/files/identity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::sandbox {

enum class HomeView : std::uint8_t {
  Overlay,   // the real home read through, writes kept in the session's home layer, secrets masked
  Private,   // an empty home kept with the session, well-known tool directories read-only in it
  ReadOnly,  // the real home read-only, secrets masked
  None,      // the caller has no home directory
  Allowed    // as Private, with toolchains and git's identity alone
};

// The layers of the home in a session's directory: where writes are kept, and of masks alone.
inline constexpr const char* kHomeLayer = "home";
inline constexpr const char* kReadOnlyHome = "home-ro";

// The rights that root keeps in a run in a project of somebody else, where it would otherwise have
// none over a single file: its capabilities over files of that owner and its own. They end at the
// files of others: no other user is mapped in the run's namespace, and capabilities do not extend
// to unmapped ones (user_namespaces(7)).
struct OwnerRights {
  std::uint32_t owner = 0;
  std::uint64_t capabilities = 0;  // bit N is capability N
  [[nodiscard]] bool any() const { return capabilities != 0; }
};

// All paths are absolute and canonical.
struct SessionPlan {
  std::string project;
  sys::Identity identity;  // of the project's root, checked again inside the namespace
  std::string directory;   // the session's own: its layers are in it
  std::string agent;       // whose session it is
  std::string home;        // "" with HomeView::None
  std::string state;       // hidden from the run
  std::string git_dir;     // of a linked work tree, outside of the project; "" for none
  HomeView home_view = HomeView::Overlay;
  bool home_may_fall_back = true;        // Overlay was not asked for by name: Private will do
  std::vector<std::string> secrets;      // home-relative paths to mask
  std::vector<std::string> other_homes;  // whose secrets are covered as well
  std::vector<std::string> home_tools;   // home-relative, shown read-only in a private home
};

struct RunPlan {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // NAME=VALUE
  std::string cwd;
  policy::Network network = policy::Network::Host;
  std::vector<std::string> read_only;     // made read-only
  std::vector<std::string> read_write;    // real paths, writable
  std::vector<std::string> hidden;        // replaced by something empty
  std::optional<HomeView> home_view;      // another one than the session's, for this run
  std::optional<std::uint64_t> tmp_size;  // /tmp as a tmpfs of this size, for this run
  std::string only;                       // the one file of the project to show; "" for all
  bool hide_project_secrets = false;
  std::vector<std::string> secret_patterns;  // beside the built-in ones
  LimitPlan limits;
  OwnerRights rights;
};

}  // namespace shadow::sandbox
