// SPDX-License-Identifier: MIT
#include "run/directory_notes.hpp"

#include <set>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::run {
namespace {

// "TIME DIRECTORY". A change of the same tick of the clock as the look may have been missed: such a
// directory is looked at again.
std::string note_of(int home, const std::string& directory, std::int64_t when_ns) {
  const auto at = changed_at(home, directory, Links::Follow);
  return std::to_string(at && *at < when_ns ? *at : 0) + " " + directory;
}

}  // namespace

std::optional<std::int64_t> changed_at(int root, const std::string& directory, Links links) {
  struct stat st {};
  const int looked = directory.empty() ? ::fstat(root, &st)
                                       : ::fstatat(root, directory.c_str(), &st,
                                                   links == Links::No ? AT_SYMLINK_NOFOLLOW : 0);
  if (looked != 0 || !S_ISDIR(st.st_mode)) {
    return std::nullopt;
  }
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return st.st_ctim.tv_sec * kNanoseconds + st.st_ctim.tv_nsec;
}

std::string directory_of(const std::string& note) {
  return note.substr(note.find(' ') + 1);
}

std::vector<std::string> notes_of(int home, const std::vector<std::string>& directories,
                                  std::int64_t when_ns) {
  std::vector<std::string> notes;
  notes.reserve(directories.size());
  for (const std::string& directory : directories) {
    notes.push_back(note_of(home, directory, when_ns));
  }
  return notes;
}

Changed changed_since(int home, const std::vector<std::string>& notes) {
  Changed changed;
  changed.vanished = notes.empty();
  for (const std::string& note : notes) {
    const std::string directory = directory_of(note);
    const auto at = changed_at(home, directory, Links::Follow);
    if (!at) {
      changed.vanished = true;
    } else if (note.compare(0, note.find(' '), std::to_string(*at)) != 0) {
      changed.directories.push_back(directory);
    }
  }
  return changed;
}

void renew_notes(int home, const std::vector<std::string>& directories, std::int64_t when_ns,
                 std::vector<std::string>& notes) {
  std::set<std::string> missing{directories.begin(), directories.end()};
  for (std::string& note : notes) {
    const std::string directory = directory_of(note);
    if (missing.erase(directory) != 0) {
      note = note_of(home, directory, when_ns);
    }
  }
  for (const std::string& directory : missing) {
    notes.push_back(note_of(home, directory, when_ns));
  }
}

}  // namespace shadow::run
