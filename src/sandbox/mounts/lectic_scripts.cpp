// SPDX-License-Identifier: MIT
#include "sandbox/mounts/lectic_scripts.hpp"

#include "shadow/error.hpp"

#include "sandbox/setup/step.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"
#include "sys/namespaces/mount.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr std::string_view kPattern = ".lectic_script-*";

// The other tools of a turn run at the same time and see the script as well.
bool is_of_lectic(const RunPlan& run) {
  const auto has = [](const std::vector<std::string>& words, const auto& which) {
    return std::any_of(words.begin(), words.end(), which);
  };
  return has(run.environment,
             [](const std::string& variable) { return variable.starts_with("LECTIC_"); }) ||
         has(run.argv, [](const std::string& word) {
           return word.find("/.lectic_script-") != std::string::npos;
         });
}

// A file in the run's /dev/shm with this text, for as long as this lives.
class TextFile {
 public:
  explicit TextFile(const std::string& text) {
    const sys::Fd file = sys::open_at(shm_.get(), name_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                                      S_IRUSR | S_IWUSR);
    sys::write_all(file.get(), text);
  }
  TextFile(const TextFile&) = delete;
  TextFile(TextFile&&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  TextFile& operator=(TextFile&&) = delete;
  // Not before it is attached: the kernel attaches no mount of a name that is gone.
  ~TextFile() { ::unlinkat(shm_.get(), name_.c_str(), 0); }

  void mount_on(const sys::Fd& point, const std::string& shown) const {
    const sys::Fd mount = sys::clone_mount(shm_.get(), name_, sys::Recursive::No);
    // Better refused than lost, should the run add a line of its own.
    sys::change_mount(mount.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::No);
    sys::attach_mount(mount.get(), point.get(), shown);
  }

 private:
  sys::Fd shm_ = sys::open_path("/dev/shm", O_PATH | O_DIRECTORY);
  std::string name_ = ".shadow-exclude-" + std::to_string(sys::now_ns());
};

}  // namespace

void ignore_lectic_scripts(const SessionPlan& session, const RunPlan& run) {
  if (!is_of_lectic(run)) {
    return;
  }
  begin_step(Step::LecticScripts);
  const std::string git_dir = session.git_dir.empty() ? session.project + "/.git" : session.git_dir;
  const std::string path = git_dir + "/info/exclude";
  const sys::Fd root = sys::open_path("/", O_PATH | O_DIRECTORY);
  const std::string_view below = std::string_view{path}.substr(1);
  // The session wrote what is there: follow no link, and accept only a file.
  const sys::Fd point = sys::try_open_beneath(root.get(), below, O_PATH);
  struct stat st {};
  if (!point || ::fstat(point.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return;
  }
  const sys::Fd file = sys::try_open_beneath(root.get(), below, O_RDONLY | O_NONBLOCK);
  if (!file) {
    return;
  }
  constexpr std::uint64_t kMost = 1U << 20U;
  std::string text = sys::read_all(file.get(), kMost);
  text.append(text.empty() || text.back() == '\n' ? "" : "\n").append(kPattern).append("\n");
  TextFile{text}.mount_on(point, path);
}

}  // namespace shadow::sandbox
