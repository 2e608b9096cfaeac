// SPDX-License-Identifier: MIT
// An upper and a lower as somebody who knows overlayfs' format would make them by hand: odd kinds,
// modes, links and user.overlay.* attributes. What reads them does not crash, hang or follow, and
// what is redundant can be taken out without a change of the view.

#include "shadow/error.hpp"

#include "fuzz/target.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/view.hpp"
#include "overlay/write/prune.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace {

namespace overlay = shadow::overlay;

constexpr std::array kNames{"a", "b", "c d", "new\nline", "\xff"};
constexpr std::array kAttributes{"opaque", "whiteout", "redirect", "metacopy", "origin",
                                 "impure", "nlink",    "uuid",     "protattr", "overlay.opaque"};
constexpr std::array kValues{"y", "n", "x", "", "/etc", "../..", "\xff"};
constexpr std::array<mode_t, 5> kModes{0755, 0700, 0644, 0500, 06755};

class Scratch {
 public:
  Scratch() : path_{"/dev/shm/shadow-fuzz-XXXXXX"} {
    if (::mkdtemp(path_.data()) == nullptr || !keeps_attributes()) {
      (void)::rmdir(path_.c_str());
      path_ = "/var/tmp/shadow-fuzz-XXXXXX";
      fuzz::require(::mkdtemp(path_.data()) != nullptr, "there is room for a test");
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { shadow::sys::remove_tree(AT_FDCWD, path_); }

  // An empty directory.
  [[nodiscard]] std::string anew(const char* name) const {
    std::string path = path_ + '/' + name;
    shadow::sys::remove_tree(AT_FDCWD, path);
    fuzz::require(::mkdir(path.c_str(), 0755) == 0, "a directory can be made");
    return path;
  }

 private:
  [[nodiscard]] bool keeps_attributes() const {
    return ::setxattr(path_.c_str(), "user.x", "x", 1, 0) == 0;
  }
  std::string path_;
};

// A name in a directory below the root of a tree; never one that a symlink leads to.
struct Spot {
  shadow::sys::Fd parent;
  std::string name;

  // For calls that do not follow the last component.
  [[nodiscard]] std::string path() const {
    return shadow::sys::proc_path(parent.get()) + '/' + name;
  }
};

// Makes entries as the bytes say; what the kernel refuses is left out.
class Builder {
 public:
  Builder(int upper, int lower) : upper_{upper}, lower_{lower} {}

  void make_one(fuzz::Bytes& bytes) {
    const int root = bytes.below(3) == 0 ? lower_ : upper_;
    const Spot spot = some_spot(root, bytes);
    if (!spot.parent) {
      return;
    }
    const std::string path = spot.path();
    switch (bytes.below(10)) {
      case 0:
      case 1:
        (void)::mkdir(path.c_str(), kModes[bytes.below(kModes.size())] | S_IRWXU);
        break;
      case 2:
        (void)!::symlink(kValues[bytes.below(kValues.size())], path.c_str());
        break;
      case 3:
        (void)::mkfifo(path.c_str(), 0644);
        break;
      case 4:
        (void)::mknod(path.c_str(), S_IFCHR, 0);
        break;
      case 5:
        if (const Spot to = some_spot(root, bytes); to.parent) {
          (void)!::link(to.path().c_str(), path.c_str());
        }
        break;
      case 6:
        set_attribute(path, bytes);
        break;
      default:
        write(path, bytes);
    }
  }

 private:
  static Spot some_spot(int root, fuzz::Bytes& bytes) {
    std::string parent;
    for (int depth = bytes.below(3); depth > 0; --depth) {
      parent += parent.empty() ? "" : "/";
      parent += kNames[bytes.below(kNames.size())];
    }
    return {shadow::sys::try_open_beneath(root, parent, O_PATH | O_DIRECTORY),
            kNames[bytes.below(kNames.size())]};
  }

  static void set_attribute(const std::string& path, fuzz::Bytes& bytes) {
    const std::string name =
        std::string{"user.overlay."} + kAttributes[bytes.below(kAttributes.size())];
    const std::string value = kValues[bytes.below(kValues.size())];
    (void)::lsetxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0);
  }

  static void write(const std::string& path, fuzz::Bytes& bytes) {
    const mode_t mode = kModes[bytes.below(kModes.size())];
    const shadow::sys::Fd file{
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)};
    const std::string_view text = bytes.below(2) == 0 ? "same" : "other";
    if (file) {
      (void)!::write(file.get(), text.data(), std::min<std::size_t>(bytes.below(6), text.size()));
      if (bytes.below(4) == 0) {
        (void)!::ftruncate(file.get(), off_t{1} << (bytes.number() % 41U));
      }
    }
  }

  int upper_;
  int lower_;
};

std::vector<std::string> everything(const overlay::View& view) {
  std::vector<std::string> found;
  std::vector<std::string> left{""};
  while (!left.empty()) {
    const std::string path = left.back();
    left.pop_back();
    for (const std::string& name : view.list(path)) {
      const std::string below = shadow::sys::join_path(path, name);
      const shadow::Entry entry = view.look(below);
      fuzz::require(entry.exists(), "what is listed is there");
      const std::uint64_t size = entry.kind == shadow::EntryKind::File ? entry.size : 0;
      std::string& words = found.emplace_back(below);
      words += ' ';
      words += shadow::to_word(entry.kind);
      words += ' ' + std::to_string(size) + ' ' + entry.target.str();
      if (entry.kind == shadow::EntryKind::Directory) {
        left.push_back(below);
      } else if (entry.kind == shadow::EntryKind::File && entry.size < 4096) {
        words += view.read(below, 4096).value_or("unreadable");
      }
    }
  }
  return found;
}

std::vector<std::string> words_of(const shadow::ChangeSet& set) {
  std::vector<std::string> words;
  for (const shadow::Change& change : set.changes) {
    words.push_back(change.path + ' ' + shadow::to_word(change.kind));
  }
  return words;
}

void read_and_prune(int upper, int lower) {
  const overlay::View view{upper, lower};
  const auto seen = everything(view);
  const auto changes = words_of(overlay::scan(upper, lower));
  std::vector<std::string> paths;
  for (const overlay::UpperEntry& entry : overlay::list_upper(upper)) {
    paths.push_back(entry.path);
  }
  overlay::prune(upper, lower, paths);
  fuzz::require(everything(view) == seen, "the view is the same without what is redundant");
  fuzz::require(words_of(overlay::scan(upper, lower)) == changes, "and so are the changes");
  for (const std::string& path : paths) {
    try {
      overlay::drop(upper, lower, path);
    } catch (const shadow::Error&) {
      continue;  // below something that is no directory
    }
  }
  fuzz::require(overlay::scan(upper, lower).empty(), "nothing is left when all is dropped");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch scratch;
  fuzz::Bytes bytes{fuzz::text_of(data, size)};
  const std::string upper = scratch.anew("upper");
  const std::string lower = scratch.anew("lower");
  const shadow::sys::Fd upper_dir{::open(upper.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const shadow::sys::Fd lower_dir{::open(lower.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  Builder builder{upper_dir.get(), lower_dir.get()};
  constexpr int kMostEntries = 60;
  for (int made = 0; made < kMostEntries && !bytes.empty(); ++made) {
    builder.make_one(bytes);
  }
  try {
    read_and_prune(upper_dir.get(), lower_dir.get());
  } catch (const shadow::Error& error) {
    fuzz::require(std::string_view{error.what()}.starts_with("cannot "), "an error is a sentence");
  }
  return 0;
}
