// SPDX-License-Identifier: MIT
// The view of a live session, opened from outside. The upper may not be touched beneath its mount;
// what is done through the view is done by the kernel.
//
// The runs write to the view meanwhile, and are not to be trusted: paths are opened beneath the
// root, without following links. The descriptor is out of their reach, in a process of the host.

#pragma once

#include "shadow/error.hpp"

#include "session/directory/session_dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/lock.hpp"
#include "sys/files/writable_files.hpp"
#include "sys/namespaces/joined.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::live {

struct BeingWritten {
  std::set<std::string> paths;
  std::vector<std::string> files;  // that are open: these paths, or below them
  std::string why;                 // of the first: which file, in which process

  // Refused, naming all files; `doing` completes "cannot ...".
  [[nodiscard]] Error refusal(const std::string& doing, std::string hint) const;
};

class LiveView {
 public:
  // Joins a run of the session, as another run would; the view forgets what it had looked up, but
  // for what is in use at that moment. nullopt when none can be joined: the last one
  // is ending. With the session's `lock` held, for as long as the view is open.
  [[nodiscard]] static std::optional<LiveView> open(const session::SessionDir& session,
                                                    const std::string& project);

  // The same without that lock, for a look alone. nullopt as well when the session is at rest.
  [[nodiscard]] static std::optional<LiveView> try_open(const session::SessionDir& session,
                                                        const std::string& directory,
                                                        sys::Refreshing refreshing);

  [[nodiscard]] int root() const { return root_.get(); }

  // Those of the paths that a process of the session's runs has open for writing just now, or has
  // something below them open.
  [[nodiscard]] BeingWritten being_written(const session::SessionDir& session,
                                           const std::vector<std::string>& paths) const;

  // Throws Error (Refused) when there is one. `doing` completes "cannot ...".
  void require_unwritten(const session::SessionDir& session, const std::vector<std::string>& paths,
                         const std::string& doing) const;

 private:
  LiveView(sys::FileLock live, sys::Fd root) : live_{std::move(live)}, root_{std::move(root)} {}

  // In this order: whoever finds `live` free makes a new mount, and this descriptor holds the old.
  sys::FileLock live_;
  sys::Fd root_;
};

}  // namespace shadow::live
