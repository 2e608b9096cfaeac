// SPDX-License-Identifier: MIT
// A run's permissions to see, reach and use things, as one value. It is merged from layers
// (built-in, profile, configuration, command line), each setting with its origin; it can be
// printed, and src/sandbox turns it into mounts, environment, filters and limits.

#pragma once

#include "policy/allow_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::policy {

// The source of a setting, the weakest first. If the host cannot enforce a setting, one requested
// by name is an error, while one of a profile becomes the nearest possible limit and a warning.
enum class Origin : std::uint8_t { BuiltIn, Profile, GlobalConfig, ProjectConfig, CommandLine };

[[nodiscard]] constexpr bool asked_by_name(Origin origin) {
  return origin >= Origin::GlobalConfig;
}

template <class Value>
struct Setting {
  Value value{};
  Origin origin = Origin::BuiltIn;
  bool operator==(const Setting&) const = default;
};

enum class Network : std::uint8_t {
  Host,  // the host's
  None,  // a network namespace of its own, with loopback
  Allow  // the same, and a proxy that connects to what is on a list
};

struct NetworkAccess {
  Network network = Network::Host;
  AllowList allowed;  // of Network::Allow
  bool operator==(const NetworkAccess&) const = default;
};

enum class HomeMode : std::uint8_t {
  Auto,      // Overlay where it can be, else Private
  Overlay,   // the real home read through, writes kept with the session, secrets masked
  Private,   // an empty home kept with the session
  ReadOnly,  // the real home read-only, secrets masked
  Allowed    // an empty home kept with the session, with nothing but toolchains in it
};

enum class Access : std::uint8_t {
  ReadOnly,   // a real path, readable; below the project: that part of the view, not writable
  ReadWrite,  // a real path, writable: outside of review
  Hidden      // replaced by something empty
};

// A path of the host with its own rule, absolute. A rule that lifts a mask lies on the masked path
// or above it. Rules of Origin::Profile hold only where the path exists.
struct PathRule {
  Access access = Access::ReadOnly;
  std::string path;
  Origin origin = Origin::BuiltIn;
  bool operator==(const PathRule&) const = default;
};

struct EnvRule {
  enum class Action : std::uint8_t {
    Set,   // NAME=VALUE, whatever the caller has
    Pass,  // the caller's value; `name` may be a pattern with * and ?
    Unset  // not passed; `name` may be a pattern
  };
  Action action = Action::Pass;
  std::string name;
  std::string value;
  Origin origin = Origin::BuiltIn;
  bool operator==(const EnvRule&) const = default;
};

enum class LimitKind : std::uint8_t {
  Memory,     // bytes, all processes of the run together
  Cpus,       // thousandths of one cpu
  Pids,       // processes and threads
  TmpSize,    // bytes in /tmp
  FileSize,   // bytes, the largest file that can be written
  OpenFiles,  // descriptors of one process
  Timeout     // nanoseconds
};
constexpr std::size_t kLimitKinds = 7;
constexpr std::array<LimitKind, kLimitKinds> kAllLimits = {
    LimitKind::Memory,   LimitKind::Cpus,      LimitKind::Pids,   LimitKind::TmpSize,
    LimitKind::FileSize, LimitKind::OpenFiles, LimitKind::Timeout};

// The settings of one source; settings that it does not mention come from weaker ones. The rules of
// several layers add up; where two speak of the same path or variable, the stronger one holds.
struct PolicyLayer {
  Origin origin = Origin::CommandLine;
  std::optional<std::string> profile;
  std::optional<NetworkAccess> net;
  std::optional<HomeMode> home;
  std::optional<bool> clear_env;
  std::optional<bool> hide_secrets;
  std::optional<bool> die_with_parent;
  std::optional<std::string> only;
  std::array<std::optional<std::uint64_t>, kLimitKinds> limits;  // 0: none
  std::vector<PathRule> paths;
  std::vector<EnvRule> env;
  std::vector<std::string> secrets;          // home-relative paths, masked as the built-in ones are
  std::vector<std::string> secret_patterns;  // for hide_secrets, beside the built-in ones

  std::optional<std::uint64_t>& limit(LimitKind kind) {
    return limits.at(static_cast<std::size_t>(kind));
  }
};

struct Policy {
  Setting<std::string> profile{"default", Origin::BuiltIn};
  Setting<NetworkAccess> net;
  Setting<HomeMode> home;
  Setting<bool> clear_env;        // only PATH, HOME, TERM, LANG and TZ are passed
  Setting<bool> hide_secrets;     // mask what looks like a secret inside the project, too
  Setting<bool> die_with_parent;  // end the run when the process that started it has ended
  Setting<std::string> only;      // the one file to work on; "" is the whole project
  std::array<Setting<std::uint64_t>, kLimitKinds> limits;
  std::vector<PathRule> paths;
  // Paths of the profile that do not exist. What a run makes there is the session's own.
  std::vector<std::string> missing;
  std::vector<EnvRule> env;
  std::vector<std::string> secrets;
  std::vector<std::string> secret_patterns;

  [[nodiscard]] const Setting<std::uint64_t>& limit(LimitKind kind) const {
    return limits.at(static_cast<std::size_t>(kind));
  }
  [[nodiscard]] std::uint64_t amount(LimitKind kind) const { return limit(kind).value; }
  bool operator==(const Policy&) const = default;
};

// Paths that rules refer to. Absolute and canonical; `home` may be "".
struct PolicyPlaces {
  std::string home;
  std::string state;
  std::string project;
  std::string cwd;
  std::vector<std::string> agent_homes{};  // that the profile `agent` leaves open beside its own
};

}  // namespace shadow::policy
