// SPDX-License-Identifier: MIT
// The values of the policy's options and keys, read and written as people do.
#include "policy/policy_values.hpp"

#include "shadow/error.hpp"

#include "base/amounts.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace shadow::policy {
namespace {

constexpr std::string_view kAllow = "allow:";

[[noreturn]] void bad_value(std::string_view option, std::string_view text, std::string hint) {
  throw Error{"cannot read " + std::string{option} + " " + quoted(text) + ": not a valid value",
              std::move(hint)};
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || stop != text.data() + text.size()) {
    return std::nullopt;
  }
  return count;
}

// Thousandths of a cpu. The kernel takes no quota below 1 ms in 100 ms (cpu.max, sched-bwc).
std::optional<std::uint64_t> parse_milli_cpus(std::string_view text) {
  constexpr double kThousand = 1000;
  constexpr double kMostCpus = 65536;
  constexpr std::uint64_t kLeast = 10;
  double cpus = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), cpus, std::chars_format::fixed);
  if (error != std::errc{} || stop != text.data() + text.size() || !(cpus > 0) ||
      cpus > kMostCpus) {
    return std::nullopt;
  }
  const auto milli = static_cast<std::uint64_t>(std::llround(cpus * kThousand));
  return milli < kLeast ? std::nullopt : std::optional{milli};
}

struct LimitForm {
  std::optional<std::uint64_t> value;
  const char* hint;
};

LimitForm read_limit(LimitKind kind, std::string_view text) {
  switch (kind) {
    case LimitKind::Memory:
    case LimitKind::TmpSize:
    case LimitKind::FileSize:
      return {parse_size(text), "a size such as 512M or 2G, or none"};
    case LimitKind::Cpus:
      return {parse_milli_cpus(text), "a number of cpus such as 0.5 or 2, or none"};
    case LimitKind::Pids:
    case LimitKind::OpenFiles:
      return {parse_count(text), "a number above 0, or none"};
    case LimitKind::Timeout:
      break;
  }
  const std::optional<std::int64_t> duration = parse_duration(text);
  return {duration ? std::optional{static_cast<std::uint64_t>(*duration)} : std::nullopt,
          "a time such as 30s, 10m or 2h, or none"};
}

// Variables as the environment can hold them. Patterns stand for names only.
void check_name(std::string_view name, std::string_view option) {
  if (name.empty() || name.find('=') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos) {
    bad_value(option, name, "NAME or NAME=VALUE");
  }
}

std::string with_home(std::string_view text, std::string_view option, const std::string& home) {
  for (const std::string_view prefix : {"~", "$HOME", "${HOME}"}) {
    if (text.starts_with(prefix) && (text.size() == prefix.size() || text[prefix.size()] == '/')) {
      if (home.empty()) {
        bad_value(option, text, "there is no home directory");
      }
      return home + std::string{text.substr(prefix.size())};
    }
  }
  return std::string{text};
}

}  // namespace

NetworkAccess parse_network(std::string_view text, std::string_view option) {
  if (text == "host") {
    return {Network::Host, {}};
  }
  if (text == "none") {
    return {Network::None, {}};
  }
  if (text.starts_with(kAllow)) {
    return {Network::Allow, parse_allow_list(text.substr(kAllow.size()), option)};
  }
  bad_value(option, text, "host, none or allow:HOST[:PORT],...");
}

HomeMode parse_home_mode(std::string_view text, std::string_view option) {
  for (const HomeMode mode : {HomeMode::Auto, HomeMode::Overlay, HomeMode::Private,
                              HomeMode::ReadOnly, HomeMode::Allowed}) {
    if (text == name_of(mode)) {
      return mode;
    }
  }
  bad_value(option, text, "auto, overlay, private, ro or allow");
}

std::uint64_t parse_limit(LimitKind kind, std::string_view text, std::string_view option) {
  if (text == "none") {
    return 0;
  }
  const LimitForm form = read_limit(kind, text);
  if (!form.value || *form.value == 0) {
    bad_value(option, text, form.hint);
  }
  return *form.value;
}

EnvRule parse_env(std::string_view text, std::string_view option, Origin origin) {
  const std::size_t equals = text.find('=');
  EnvRule rule;
  rule.origin = origin;
  rule.name = text.substr(0, equals);
  check_name(rule.name, option);
  if (equals != std::string_view::npos) {
    rule.action = EnvRule::Action::Set;
    rule.value = text.substr(equals + 1);
    if (rule.value.find('\0') != std::string::npos) {
      bad_value(option, text, "a value cannot hold a NUL byte");
    }
  }
  return rule;
}

EnvRule parse_unset(std::string_view text, std::string_view option, Origin origin) {
  check_name(text, option);
  return {EnvRule::Action::Unset, std::string{text}, {}, origin};
}

PathRule parse_path_rule(Access access, std::string_view text, std::string_view option,
                         Origin origin, const PolicyPlaces& places) {
  if (text.empty() || text.find('\0') != std::string_view::npos) {
    bad_value(option, text, "a path");
  }
  std::string path = with_home(text, option, places.home);
  if (!path.starts_with('/')) {
    if (origin != Origin::CommandLine) {
      bad_value(option, text, "an absolute path, or one that begins with ~/ or $HOME/");
    }
    path = places.cwd + "/" + path;
  }
  return {access, without_dots(path), origin};
}

std::string name_of(const NetworkAccess& net) {
  switch (net.network) {
    case Network::Host:
      return "host";
    case Network::None:
      return "none";
    case Network::Allow:
      break;
  }
  return std::string{kAllow} + allow_list_text(net.allowed);
}

std::string_view name_of(HomeMode home) {
  switch (home) {
    case HomeMode::Auto:
      return "auto";
    case HomeMode::Overlay:
      return "overlay";
    case HomeMode::Private:
      return "private";
    case HomeMode::ReadOnly:
      return "ro";
    case HomeMode::Allowed:
      break;
  }
  return "allow";
}

std::string_view name_of(Access access) {
  switch (access) {
    case Access::ReadOnly:
      return "ro";
    case Access::ReadWrite:
      return "rw";
    case Access::Hidden:
      break;
  }
  return "hide";
}

std::string_view name_of(EnvRule::Action action) {
  switch (action) {
    case EnvRule::Action::Set:
      return "set";
    case EnvRule::Action::Pass:
      return "pass";
    case EnvRule::Action::Unset:
      break;
  }
  return "unset";
}

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::BuiltIn:
      return "built-in";
    case Origin::Profile:
      return "profile";
    case Origin::GlobalConfig:
      return "config";
    case Origin::ProjectConfig:
      return "project config";
    case Origin::CommandLine:
      break;
  }
  return "command line";
}

std::string_view name_of(LimitKind kind) {
  constexpr std::array<std::string_view, kLimitKinds> kNames = {
      "memory", "cpus", "pids", "tmp-size", "file-size", "open-files", "timeout"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string limit_text(LimitKind kind, std::uint64_t amount) {
  if (amount == 0) {
    return "none";
  }
  switch (kind) {
    case LimitKind::Memory:
    case LimitKind::TmpSize:
    case LimitKind::FileSize:
      return human_size(amount);
    case LimitKind::Cpus: {
      constexpr double kThousand = 1000;
      return fmt::format("{:g}", static_cast<double>(amount) / kThousand);
    }
    case LimitKind::Pids:
    case LimitKind::OpenFiles:
      return std::to_string(amount);
    case LimitKind::Timeout:
      break;
  }
  return human_duration(static_cast<std::int64_t>(amount));
}

}  // namespace shadow::policy
