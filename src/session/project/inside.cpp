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
  std::array<char, 64> id{};
  const ssize_t length = ::readlinkat(dev, sandbox::kSessionMark, id.data(), id.size());
  return length > 0 ? std::string{id.data(), static_cast<std::size_t>(length)} : std::string{};
}

}  // namespace

std::optional<InsideOf> find_inside() {
  auto session = sys::environment("SHADOW_SESSION");
  const auto own_state = sys::environment("SHADOW_STATE_DIR");
  if (!session || session->empty() || (own_state && !own_state->empty())) {
    return std::nullopt;
  }
  const sys::Fd dev = sys::try_open_at(AT_FDCWD, "/dev", sys::kDirPath);
  if (!dev || !is_run_dev(dev.get()) || named_by(dev.get()) != *session) {
    return std::nullopt;
  }
  return InsideOf{std::move(*session), sys::environment("SHADOW_INTERLOCUTOR").value_or("")};
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
