// SPDX-License-Identifier: MIT
#include "session/directory/overlay_trial.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/process/probe.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/namespaces/mountinfo.hpp"

#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::session {

OverlayTrial::OverlayTrial(const std::string& state)
    : path_{state + "/" + kTrialPrefix + "XXXXXX"} {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw_errno("make a directory in " + quoted(state));
  }
  const sys::Fd dir = sys::open_path(path_, O_RDONLY | O_DIRECTORY);
  for (const char* name : {"lower", "layer/upper", "layer/work"}) {
    (void)sys::make_dirs(dir.get(), name, S_IRWXU);
  }
  const sys::Fd lower = sys::open_at(dir.get(), "lower", O_RDONLY | O_DIRECTORY);
  for (const char* name : {"changed", "deleted"}) {
    sys::replace_file_at(lower.get(), name, "text\n", S_IRUSR | S_IWUSR);
  }
}

OverlayTrial::~OverlayTrial() {
  try {
    sys::remove_tree(AT_FDCWD, path_);
  } catch (const Error&) {
    // Left for `gc`; the trial has its answer.
  }
}

std::string why_no_home_overlay(const std::string& state, const std::string& home) {
  const std::vector<sys::MountInfo> below = sys::mounts_below(home);
  if (!below.empty()) {
    return quoted(below[0].point) + " is a mount point below it";
  }
  const OverlayTrial trial{state};
  const sandbox::ProbeResult result = sandbox::probe_view(home, trial.path() + "/layer");
  return result ? result->cause : std::string{};
}

}  // namespace shadow::session
