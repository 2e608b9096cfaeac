// SPDX-License-Identifier: MIT
#include "run/allowed_home.hpp"

#include "shadow/error.hpp"

#include "base/git_config_text.hpp"
#include "sandbox/mounts/own_layer.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::run {

namespace {

struct Identity {
  std::string name;
  std::string email;
};

void read_identity(const std::string& file, Identity& identity) {
  constexpr std::uint64_t kMostText = 1U << 20U;
  try {
    const auto text = sys::read_file_at(AT_FDCWD, file, kMostText);
    for (const GitConfigEntry& entry : parse_git_config_text(text.value_or("")).entries) {
      if (entry.section == "user" && !entry.subsection && entry.value) {
        if (entry.key == "name") {
          identity.name = *entry.value;
        } else if (entry.key == "email") {
          identity.email = *entry.value;
        }
      }
    }
  } catch (const Error&) {
    return;  // git would say why when it is asked
  }
}

std::string setting(std::string_view key, const std::string& value) {
  if (value.empty()) {
    return {};
  }
  std::string text = "\t" + std::string{key} + " = \"";
  for (const char c : value) {
    text += c == '\n' ? "\\n" : c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return text + "\"\n";
}

}  // namespace

void prepare_allowed_home(const session::SessionDir& session, const sandbox::SessionPlan& plan) {
  if (plan.home_view != sandbox::HomeView::Allowed) {
    return;
  }
  const sys::Fd layer = sandbox::make_own_layer(session.fd(), sandbox::kAllowedHome);
  const sys::Fd upper = sys::open_at(layer.get(), "upper", sys::kDirPath);
  const sys::Fd file = sys::try_open_at(
      upper.get(), ".gitconfig", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (!file) {
    return;  // there already, or closed by a run
  }
  Identity identity;
  for (const char* name : {"/.config/git/config", "/.gitconfig"}) {
    read_identity(plan.home + name, identity);
  }
  const std::string text = setting("name", identity.name) + setting("email", identity.email);
  sys::write_all(file.get(), text.empty() ? "" : "[user]\n" + text);
}

}  // namespace shadow::run
