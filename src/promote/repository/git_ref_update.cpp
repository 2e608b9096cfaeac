// SPDX-License-Identifier: MIT
#include "promote/repository/git_ref_update.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "promote/repository/git_owner.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <cerrno>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

constexpr std::uint64_t kMostPacked = std::uint64_t{256} << 20U;
constexpr mode_t kDirectory = 0777;  // less the umask, as git's
constexpr const char* kPacked = "packed-refs";

std::string null_if_empty(const std::string& id) {
  return id.empty() ? std::string(git::kHexId, '0') : id;
}

std::optional<std::string> read_beneath(int dir, const std::string& path, std::uint64_t limit) {
  const sys::Fd fd = sys::try_open_beneath(dir, path, O_RDONLY | O_NONBLOCK);
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return std::nullopt;
    }
    if (errno == ELOOP) {
      return std::string{};  // a symlink: nothing that may be followed
    }
    throw_errno("read " + quoted(path));
  }
  const EntryKind kind = overlay::look_fd(fd.get()).kind;
  if (kind == EntryKind::Directory) {
    return std::nullopt;
  }
  return kind == EntryKind::File ? sys::read_all(fd.get(), limit) : std::string{};
}

// The line of packed-refs that names a ref, with that of a peeled tag behind it.
struct PackedLine {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::optional<PackedLine> find_packed(const std::string& text, const std::string& name) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view{text}.substr(at, end - at);
    if (line.size() == git::kHexId + 1 + name.size() && line.substr(git::kHexId + 1) == name) {
      PackedLine found{at, std::min(end + 1, text.size())};
      if (found.end < text.size() && text[found.end] == '^') {
        found.end = std::min(text.find('\n', found.end), text.size() - 1) + 1;
      }
      return found;
    }
    at = end + 1;
  }
  return std::nullopt;
}

// "refs/heads/a" and "refs/heads/a/b" cannot both be: they would be a file and a directory.
bool collides_with_packed(const std::string& text, const std::string& name) {
  for (const std::string& line : split(text, '\n')) {
    if (line.size() <= git::kHexId + 1 || line[0] == '#' || line[0] == '^') {
      continue;
    }
    const std::string other = line.substr(git::kHexId + 1);
    if (other != name && (is_at_or_below(other, name) || is_at_or_below(name, other))) {
      return true;
    }
  }
  return false;
}

void remove_packed(const GitPlace& place, const std::string& name, LockBook& book) {
  const auto text = read_beneath(place.common(), kPacked, kMostPacked);
  if (!text || !find_packed(*text, name)) {
    return;
  }
  auto lock = GitLock::take(place.common(), place.common_path(), kPacked, book);
  if (!lock) {
    throw Error{"cannot remove " + quoted(name) + ": the packed refs are locked"};
  }
  // Again, now that nobody else writes it.
  std::string now = read_beneath(place.common(), kPacked, kMostPacked).value_or("");
  if (const auto line = find_packed(now, name)) {
    now.erase(line->begin, line->end - line->begin);
    lock->write(now, overlay::look_beneath(place.common(), kPacked).mode);
    lock->commit();
  }
}

void append_line(int dir, const std::string& path, const std::string& line, bool create) {
  const std::string_view parent = sys::split_path(path).parent;
  if (create && !overlay::look_beneath(dir, parent).exists()) {
    make_git_dirs(dir, parent, kDirectory);
  }
  constexpr mode_t kFile = 0666;
  constexpr int kAppend = O_WRONLY | O_APPEND | O_NONBLOCK;
  sys::Fd log = sys::try_open_beneath(dir, path, kAppend);
  if (!log && errno == ENOENT && create) {
    log = sys::try_open_beneath(dir, path, kAppend | O_CREAT, kFile);
    const sys::Fd holder = sys::open_beneath(dir, parent, O_PATH | O_DIRECTORY);
    if (log) {
      own_as(holder.get(), log.get());
    }
  }
  if (log && overlay::look_fd(log.get()).kind == EntryKind::File) {
    sys::write_all(log.get(), line);
  }
}

}  // namespace

GitPlace::GitPlace(std::string own, std::string common)
    : own_path_{std::move(own)},
      common_path_{std::move(common)},
      own_{sys::open_path(own_path_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)},
      common_{sys::open_path(common_path_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)} {
}

std::optional<std::string> read_ref(const GitPlace& place, const std::string& name) {
  constexpr std::uint64_t kMostRef = 4096;
  if (const auto text = read_beneath(place.common(), name, kMostRef)) {
    std::string_view id{*text};
    while (!id.empty() && (id.back() == '\n' || id.back() == ' ' || id.back() == '\r')) {
      id.remove_suffix(1);
    }
    return git::is_object_id(id) ? std::string{id} : std::string{};
  }
  const auto packed = read_beneath(place.common(), kPacked, kMostPacked);
  if (!packed) {
    return std::nullopt;
  }
  const auto line = find_packed(*packed, name);
  if (!line) {
    return std::nullopt;
  }
  std::string id = packed->substr(line->begin, git::kHexId);
  return git::is_object_id(id) ? id : std::string{};
}

std::optional<RefUpdate> RefUpdate::begin(const GitPlace& place, const RefMove& move,
                                          LockBook& book, std::string& why) try {
  const std::string_view parent = sys::split_path(move.name).parent;
  if (!overlay::look_beneath(place.common(), parent).exists()) {
    make_git_dirs(place.common(), parent, kDirectory);
  }
  constexpr std::chrono::milliseconds kPatience{100};
  auto lock = GitLock::take_within(kPatience, place.common(), place.common_path(), move.name, book);
  if (!lock) {
    why = "git has it locked";
    return std::nullopt;
  }
  const auto now = read_ref(place, move.name);
  if (now.has_value() == move.from.empty() || (now && *now != move.from)) {
    why = "it was moved meanwhile";
    return std::nullopt;
  }
  if (!now && collides_with_packed(read_beneath(place.common(), kPacked, kMostPacked).value_or(""),
                                   move.name)) {
    why = "another ref's name is in the way";
    return std::nullopt;
  }
  if (overlay::look_beneath(place.common(), move.name).kind == EntryKind::Directory) {
    // Former "NAME/..." branches leave an empty directory; git removes it too.
    const sys::ParentAndName at = sys::open_parent_beneath(place.common(), move.name);
    if (::unlinkat(at.parent.get(), at.name.c_str(), AT_REMOVEDIR) != 0) {
      why = "another ref's name is in the way";
      return std::nullopt;
    }
  }
  if (!move.to.empty()) {
    lock->write(move.to + "\n", 0);
  }
  return RefUpdate{place, move, std::move(*lock)};
} catch (const Error& error) {
  why = error.what();
  return std::nullopt;
}

void RefUpdate::commit(LockBook& book) {
  if (move_.to.empty()) {
    remove_packed(*place_, move_.name, book);
    lock_.commit_removal();
  } else {
    lock_.commit();
  }
}

// Not by libgit2, which reads a log as a whole and writes it anew: git may append to it meanwhile.
void log_ref(const GitPlace& place, const RefMove& move, bool head, const std::string& who,
             const std::string& why) try {
  // git keeps logs unless told otherwise; where it does, HEAD has had one since the first commit.
  const bool first = move.from.empty();
  const bool kept = overlay::look_beneath(place.own(), "logs/HEAD").exists() ||
                    !overlay::look_beneath(place.common(), "logs").exists();
  const std::string line = null_if_empty(move.from) + " " + null_if_empty(move.to) + " " + who +
                           " " + std::to_string(sys::now_ns() / 1'000'000'000) + " +0000\t" + why +
                           "\n";
  if (move.to.empty()) {
    const sys::SplitPath parts = sys::split_path(move.name);
    const sys::Fd dir = sys::try_open_beneath(place.common(), sys::join_path("logs", parts.parent),
                                              O_PATH | O_DIRECTORY);
    if (dir) {
      ::unlinkat(dir.get(), std::string{parts.name}.c_str(), 0);
    }
  } else if (move.name.starts_with(git::kHeads)) {
    append_line(place.common(), "logs/" + move.name, line, kept && first);
  }
  if (head) {
    append_line(place.own(), "logs/HEAD", line, kept && first);
  }
} catch (const Error&) {
  return;
}

}  // namespace shadow::promote
