// SPDX-License-Identifier: MIT
#include "session/directory/made_anew.hpp"

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::session {
namespace {

constexpr const char* kMadeAnew = "made-anew";
constexpr std::int64_t kNever = -1;

// A run looks at each before it starts, at some 2 us.
constexpr std::size_t kMost = 500;

using Notes = std::map<std::string, std::int64_t>;

Notes read_notes(const SessionDir& session) {
  const auto text = sys::read_file_at(session.fd(), kMadeAnew);
  const std::vector<std::string> words = text ? split(*text, '\0') : std::vector<std::string>{};
  Notes notes;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    std::int64_t looked_ns = 0;
    if (read_numbers(words[i], looked_ns)) {
      notes[words[i + 1]] = looked_ns;
    }
  }
  return notes;
}

void write_notes(const SessionDir& session, const Notes& notes) {
  if (notes.empty()) {
    (void)::unlinkat(session.fd(), kMadeAnew, 0);
    return;
  }
  std::string text;
  for (const auto& [path, looked_ns] : notes) {
    text += std::to_string(looked_ns) + '\0' + path + '\0';
  }
  sys::replace_file_at(session.fd(), kMadeAnew, text, S_IRUSR | S_IWUSR);
}

bool is_in_git_dir(std::string_view path) {
  const std::vector<std::string> names = split(path, '/');
  return std::find(names.begin(), names.end(), ".git") != names.end();
}

// nullopt if the project has no directory there.
std::optional<std::int64_t> changed_at(int lower, const std::string& path) {
  const Entry real = overlay::look_beneath(lower, path);
  return real.kind == EntryKind::Directory ? std::optional{real.ctime_ns} : std::nullopt;
}

}  // namespace

void note_made_anew(const SessionDir& session, int lower,
                    const std::vector<MadeAnew>& directories) {
  const Notes old = read_notes(session);
  Notes notes;
  for (const MadeAnew& one : directories) {
    const auto changed_ns = notes.size() < kMost && !is_in_git_dir(one.path)
                                ? changed_at(lower, one.path)
                                : std::nullopt;
    if (!changed_ns) {
      continue;
    }
    const auto known = old.find(one.path);
    notes[one.path] = known != old.end()           ? known->second
                      : *changed_ns < one.since_ns ? *changed_ns
                                                   : 0;
  }
  if (notes != old) {
    write_notes(session, notes);
  }
}

std::vector<std::string> made_anew(const SessionDir& session) {
  std::vector<std::string> paths;
  for (const auto& [path, looked_ns] : read_notes(session)) {
    paths.push_back(path);
  }
  return paths;
}

void leave_alone(const SessionDir& session, const std::vector<std::string>& directories) {
  Notes notes = read_notes(session);
  for (const std::string& path : directories) {
    notes[path] = kNever;
  }
  write_notes(session, notes);
}

// What changes in the same tick of the clock as the look begins may be missed by it.
void note_look(const SessionDir& session, int lower) {
  const std::int64_t now_ns = sys::coarse_now_ns();
  Notes notes = read_notes(session);
  for (auto& [path, looked_ns] : notes) {
    if (looked_ns != kNever) {
      const auto changed_ns = changed_at(lower, path);
      looked_ns = changed_ns && *changed_ns < now_ns ? *changed_ns : 0;
    }
  }
  write_notes(session, notes);
}

bool has_more_in_made_anew(const SessionDir& session, const std::string& project) {
  if (::faccessat(session.fd(), kMadeAnew, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  const sys::Fd lower = sys::open_path(project, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  const Notes notes = read_notes(session);
  return std::any_of(notes.begin(), notes.end(), [&](const auto& note) {
    const auto changed_ns =
        note.second == kNever ? std::nullopt : changed_at(lower.get(), note.first);
    return changed_ns && *changed_ns != note.second;
  });
}

}  // namespace shadow::session
