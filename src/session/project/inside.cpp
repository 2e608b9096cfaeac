// SPDX-License-Identifier: MIT
#include "session/project/inside.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/devices.hpp"
#include "sandbox/process/execute.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>
#include <climits>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace shadow::session {
namespace {

bool is_run_dev(int dev) {
  struct statfs fs {};
  struct statvfs flags {};
  constexpr decltype(fs.f_type) kTmpfs = TMPFS_MAGIC;
  return ::fstatfs(dev, &fs) == 0 && fs.f_type == kTmpfs && ::fstatvfs(dev, &flags) == 0 &&
         (flags.f_flag & ST_RDONLY) != 0;
}

std::string named_by(int dev) {
  std::array<char, PATH_MAX> name{};
  const ssize_t length = ::readlinkat(dev, sandbox::kSessionMark, name.data(), name.size());
  return length > 0 ? std::string{name.data(), static_cast<std::size_t>(length)} : std::string{};
}

// A run's start files may name again what its caller's did: memory, which the run would lose.
bool has_own_state() {
  const auto state = sys::environment("SHADOW_STATE_DIR");
  return state && !state->empty() && *state != "tmpfs";
}

}  // namespace

std::optional<InsideOf> find_inside() {
  const sys::Fd dev =
      has_own_state() ? sys::Fd{} : sys::try_open_at(AT_FDCWD, "/dev", sys::kDirPath);
  if (!dev || !is_run_dev(dev.get())) {
    return std::nullopt;
  }
  const std::string name = named_by(dev.get());
  if (name.empty()) {
    return std::nullopt;
  }
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) {  // its name is too long for a link
    return InsideOf{name, sys::environment("SHADOW_INTERLOCUTOR").value_or("")};
  }
  return InsideOf{name.substr(0, slash), name.substr(slash + 1)};
}

int run_inside(const InsideOf& inside, const std::optional<std::string>& project,
               const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  if (project) {
    const auto root = sys::real_path(*project);
    if (!root || session_id({*root, inside.agent}) != inside.session) {
      throw Error{"cannot run in " + quoted(*project) + ": this is the inside of the session of " +
                      quoted(inside.agent) + ", which has another project",
                  "start it outside", ExitCode::NotStarted};
    }
    const std::string here = sys::real_path(".").value_or("");
    if (here != *root && !here.starts_with(*root + "/") && ::chdir(root->c_str()) != 0) {
      throw_errno("enter " + quoted(*root));
    }
  }
  return sandbox::execute(argv, environment);
}

}  // namespace shadow::session
