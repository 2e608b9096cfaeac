// SPDX-License-Identifier: MIT
// What hides a path of the project from a session that has nothing there: the nearest entry above.

#pragma once

#include "shadow/change.hpp"

#include "session/directory/review_session.hpp"

#include <map>
#include <string>
#include <string_view>

namespace shadow::changes {

class Hiding {
 public:
  // Borrows the session.
  explicit Hiding(const session::ReviewSession& session) : session_{session} {}

  // True if the session cannot have seen what the project has at the path: it came there after the
  // session had made the directory anew, which hides all that the project has in it (overlayfs,
  // "whiteouts and opaque directories").
  [[nodiscard]] bool came_after(const std::string& path, const Entry& real) const;

  // True if the path lies in a directory that the project has got where the session had found, and
  // deleted, something else.
  [[nodiscard]] bool was_no_directory(const std::string& path) const;

 private:
  struct Above {
    std::string path;  // "" is the root
    Entry entry;
  };
  [[nodiscard]] const Above& above(std::string_view directory) const;

  const session::ReviewSession& session_;
  mutable std::map<std::string, Above, std::less<>> found_;  // by the directory that a path is in
};

}  // namespace shadow::changes
