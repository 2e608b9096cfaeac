// SPDX-License-Identifier: MIT
// Small files of the user's own: a configuration, a text in an editor.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace shadow::cli {

// nullopt when there is none to open; does not wait for a FIFO. Throws Error when it has more
// bytes.
[[nodiscard]] std::optional<std::string> read_text_file(const std::string& path, std::size_t most);

// Throws SysError, also when there is such a file.
void write_new_file(const std::string& path, const std::string& text);

// A directory that only the user can look into, with all that is in it. No run sees it: a run has a
// /tmp of its own.
class PrivateDir {
 public:
  // "NAME-..." in $TMPDIR or /tmp; `what` completes "cannot make" in the SysError.
  PrivateDir(const std::string& name, const std::string& what);
  PrivateDir(const PrivateDir&) = delete;
  PrivateDir(PrivateDir&&) = delete;
  PrivateDir& operator=(const PrivateDir&) = delete;
  PrivateDir& operator=(PrivateDir&&) = delete;
  // Files that cannot be removed stay in the user's temporary directory.
  ~PrivateDir();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace shadow::cli
