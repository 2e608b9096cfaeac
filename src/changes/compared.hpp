// SPDX-License-Identifier: MIT
// Remembers the results of comparing large files: a session with a large file that was opened for
// writing would otherwise read it, and the real one, at each review and each redraw of `status
// --watch`.

#pragma once

#include "overlay/read/scan.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::changes {

class Compared {
 public:
  explicit Compared(const session::ReviewSession& session);

  // For a scan; borrows this.
  [[nodiscard]] overlay::KnownContents contents();

  // Writes down what was learnt. A database that is busy or full costs the next review a second
  // look, no more.
  void save();

 private:
  struct Learnt {
    std::string path;
    Entry upper;
    Entry lower;
    bool same;
  };

  void learn(const std::string& path, const Entry& upper, const Entry& lower, bool same);

  const session::ReviewSession& session_;
  bool idle_;
  std::vector<Learnt> learnt_;
};

}  // namespace shadow::changes
