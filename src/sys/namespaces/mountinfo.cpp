// SPDX-License-Identifier: MIT
#include "sys/namespaces/mountinfo.hpp"

#include "base/text.hpp"
#include "sys/files/file.hpp"

#include <cstddef>

namespace shadow::sys {
namespace {

// The kernel writes blank, tab, newline and backslash as \ooo (proc(5)).
std::string unescape(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(((text[i + 1] - '0') << 6) | ((text[i + 2] - '0') << 3) |
                               (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<MountInfo> read_mountinfo() {
  std::vector<MountInfo> mounts;
  const Fd fd = open_path("/proc/self/mountinfo", O_RDONLY);
  for (const std::string& line : split(read_all(fd.get()), '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    constexpr std::size_t kPoint = 4;
    for (std::size_t i = kPoint + 2; i + 1 < words.size(); ++i) {
      if (words[i] == "-") {  // ends the optional fields; the type follows
        mounts.push_back({unescape(words[kPoint]), words[i + 1]});
        break;
      }
    }
  }
  return mounts;
}

std::vector<MountInfo> mounts_below(const std::string& directory) {
  const std::string prefix = directory == "/" ? directory : directory + "/";
  std::vector<MountInfo> below;
  for (MountInfo& mount : read_mountinfo()) {
    if (mount.point.size() > prefix.size() && mount.point.starts_with(prefix)) {
      below.push_back(std::move(mount));
    }
  }
  return below;
}

}  // namespace shadow::sys
