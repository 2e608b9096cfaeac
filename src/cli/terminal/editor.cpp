// SPDX-License-Identifier: MIT
#include "cli/terminal/editor.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "cli/terminal/environment.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/memory_bound.hpp"

#include <csignal>
#include <cstdlib>

#include <sys/stat.h>

namespace shadow::cli {

namespace {

// Only the user can look into it, and no run sees it: a run has a /tmp of its own.
class PrivateDir {
 public:
  PrivateDir() : path_{environment("TMPDIR").value_or("/tmp") + "/shadow-edit-XXXXXX"} {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw_errno("make a directory for the editor");
    }
  }
  PrivateDir(const PrivateDir&) = delete;
  PrivateDir(PrivateDir&&) = delete;
  PrivateDir& operator=(const PrivateDir&) = delete;
  PrivateDir& operator=(PrivateDir&&) = delete;
  ~PrivateDir() {
    try {
      sys::remove_tree(AT_FDCWD, path_);
    } catch (const Error&) {
      return;  // what is left lies in the user's temporary directory
    }
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// $VISUAL is for terminals that can show a full screen.
bool terminal_is_dumb() {
  return environment("TERM").value_or("dumb") == "dumb";
}

}  // namespace

std::string editor_command() {
  for (const char* name : {"GIT_EDITOR", "VISUAL", "EDITOR"}) {
    std::string command = environment(name).value_or("");
    if (!command.empty() && !(name == std::string_view{"VISUAL"} && terminal_is_dumb())) {
      return command;
    }
  }
  return "vi";
}

std::string edit_text(const std::string& text) {
  constexpr std::uint64_t kMost = std::uint64_t{128} << 20U;
  const PrivateDir dir;
  const std::string path = dir.path() + "/hunk.diff";
  {
    const sys::Fd file = sys::open_path(path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    sys::write_all(file.get(), text);
  }
  const std::string command = editor_command();
  // An ignored signal would stay ignored in the editor. system(3) sees to Ctrl-C and Ctrl-\.
  (void)std::signal(SIGPIPE, SIG_DFL);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const sys::WithoutMemoryBound unbound;
  const int status = std::system((command + ' ' + shell_quoted(path)).c_str());
  (void)std::signal(SIGPIPE, SIG_IGN);
  if (status != 0) {
    throw Error{"cannot edit the hunk: the editor " + quoted(command) + " failed",
                "GIT_EDITOR, VISUAL or EDITOR names another one"};
  }
  const sys::Fd file = sys::open_path(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return sys::read_all(file.get(), kMost);
}

}  // namespace shadow::cli
