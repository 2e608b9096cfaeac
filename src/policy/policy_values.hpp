// SPDX-License-Identifier: MIT
// The values of a policy as text.

#pragma once

#include "policy/policy.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace shadow::policy {

// The values of the options and of the keys of the configuration. Throw Error naming `option`.
// "host", "none" or "allow:HOST[:PORT],..."; name_of() writes it back.
[[nodiscard]] NetworkAccess parse_network(std::string_view text, std::string_view option);
[[nodiscard]] HomeMode parse_home_mode(std::string_view text, std::string_view option);
// "512M", "0.5", "64", "10m" as the kind has it, or "none".
[[nodiscard]] std::uint64_t parse_limit(LimitKind kind, std::string_view text,
                                        std::string_view option);
// NAME=VALUE (Set) or NAME (Pass), as --env takes it.
[[nodiscard]] EnvRule parse_env(std::string_view text, std::string_view option, Origin origin);
[[nodiscard]] EnvRule parse_unset(std::string_view text, std::string_view option, Origin origin);
// ~ and $HOME at the start stand for the home; a relative path is below places.cwd on the command
// line and an error elsewhere. "." and ".." are resolved as text.
[[nodiscard]] PathRule parse_path_rule(Access access, std::string_view text,
                                       std::string_view option, Origin origin,
                                       const PolicyPlaces& places);

[[nodiscard]] std::string name_of(const NetworkAccess& net);
[[nodiscard]] std::string_view name_of(HomeMode home);
[[nodiscard]] std::string_view name_of(Origin origin);
[[nodiscard]] std::string_view name_of(Access access);
[[nodiscard]] std::string_view name_of(EnvRule::Action action);
// "memory", "cpus", "pids", "tmp-size", "file-size", "open-files", "timeout"
[[nodiscard]] std::string_view name_of(LimitKind kind);
// "512 MiB", "0.5", "64", "10 min 0 s", "none"
[[nodiscard]] std::string limit_text(LimitKind kind, std::uint64_t amount);

}  // namespace shadow::policy
