// SPDX-License-Identifier: MIT
#include "watch/tree_watch.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <dirent.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace shadow::watch {
namespace {

constexpr std::uint32_t kChanges = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB |
                                   IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

// Those that a limit of the user's is the cause of. Any other failure is of a directory that is
// gone again, or that the runs may not read either.
bool is_limit(int error) {
  return error == ENOSPC || error == ENOMEM;
}

std::vector<sys::DirEntry> entries_of(int root, const std::string& path) {
  const sys::Fd dir = sys::try_open_beneath(root, path, O_RDONLY | O_DIRECTORY);
  try {
    return dir ? sys::list_dir(dir.get()) : std::vector<sys::DirEntry>{};
  } catch (const SysError&) {
    return {};  // it went meanwhile
  }
}

// The names of very many changes are not needed.
constexpr std::size_t kMostNames = 100;
constexpr std::size_t kMostTouched = 10'000;

void add_name(std::vector<std::string>& names, std::string name, TreeWatch::News& news) {
  if (names.size() < kMostNames) {
    names.push_back(std::move(name));
  } else {
    news.more = true;
  }
}

}  // namespace

TreeWatch::TreeWatch(Heeds heeds, std::size_t most_partly)
    : inotify_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)},
      heeds_{heeds},
      most_partly_{most_partly} {
}

bool TreeWatch::add_tree(const std::string& root, ReachOf reach_of) {
  if (!inotify_) {
    return false;
  }
  trees_.push_back({sys::open_path(root, O_PATH | O_DIRECTORY), std::move(reach_of), {}});
  return add({trees_.size() - 1, {}});
}

bool TreeWatch::add(Place first) {
  if (first.partly) {
    waiting_.push_back(std::move(first));
    add_waiting();
    return true;
  }
  bool complete = add_all(first);
  if (!complete && partly_ > 0) {
    forget_partly();
    complete = add_all(first);
  }
  add_waiting();
  return complete;
}

bool TreeWatch::add_all(const Place& first) {
  std::deque<Place> left = {first};
  while (!left.empty()) {
    const Place next = std::move(left.back());
    left.pop_back();
    const Reach reach = next.path.empty() ? Reach::All : trees_[next.tree].reach_of(next.path);
    if (reach == Reach::Some) {
      waiting_.push_back({next.tree, next.path, true});
    } else if (reach == Reach::All && !add_one(next, left)) {
      return false;
    }
  }
  return true;
}

void TreeWatch::add_waiting() {
  while (!waiting_.empty() && partly_ < most_partly_) {
    const Place next = std::move(waiting_.front());
    waiting_.pop_front();
    if (trees_[next.tree].reach_of(next.path) != Reach::None && !add_one(next, waiting_)) {
      forget_partly();
    }
  }
  waiting_.clear();
}

// Watched first and listed then: what is made in between is in the one or in the other.
bool TreeWatch::add_one(const Place& place, std::deque<Place>& below) {
  Tree& in = trees_[place.tree];
  const sys::Fd dir = sys::try_open_beneath(in.root.get(), place.path, O_PATH | O_DIRECTORY);
  if (!dir) {
    return true;
  }
  const std::uint32_t events = kChanges | (heeds_ == Heeds::Contents ? IN_MODIFY : 0U) |
                               (heeds_ == Heeds::Saves ? IN_CLOSE_WRITE : 0U);
  const int watch = ::inotify_add_watch(inotify_.get(), sys::proc_path(dir.get()).c_str(), events);
  if (watch < 0) {
    return !is_limit(errno);
  }
  forget(watch);
  in.watches.insert_or_assign(place.path, watch);
  places_.insert_or_assign(watch, place);
  partly_ += place.partly ? 1 : 0;
  for (const sys::DirEntry& entry : entries_of(in.root.get(), place.path)) {
    if (entry.type == DT_DIR || entry.type == DT_UNKNOWN) {
      below.push_back({place.tree, sys::join_path(place.path, entry.name), place.partly});
    }
  }
  return true;
}

std::vector<std::string> TreeWatch::names_since(std::int64_t ctime_ns) const {
  std::vector<std::string> names;
  if (trees_.empty()) {
    return names;
  }
  const int root = trees_.front().root.get();
  for (const auto& [directory, watch] : trees_.front().watches) {
    if (places_.at(watch).partly) {
      continue;
    }
    const sys::Fd dir = sys::try_open_beneath(root, directory, O_PATH | O_DIRECTORY);
    if (!dir || overlay::look_fd(dir.get()).ctime_ns <= ctime_ns) {
      continue;
    }
    for (const sys::DirEntry& entry : entries_of(root, directory)) {
      if (overlay::look_at(dir.get(), entry.name).ctime_ns > ctime_ns) {
        names.push_back(sys::join_path(directory, entry.name));
      }
      if (names.size() == kMostNames) {
        return names;
      }
    }
  }
  return names;
}

std::vector<std::string> TreeWatch::changed_since(std::int64_t ctime_ns) const {
  std::vector<std::string> paths;
  for (const auto& [directory, watch] :
       trees_.empty() ? std::map<std::string, int>{} : trees_.front().watches) {
    if (places_.at(watch).partly) {
      continue;
    }
    const int root = trees_.front().root.get();
    const sys::Fd dir = sys::try_open_beneath(root, directory, O_PATH | O_DIRECTORY);
    for (const sys::DirEntry& entry :
         dir ? entries_of(root, directory) : std::vector<sys::DirEntry>{}) {
      if (entry.type != DT_DIR && overlay::look_at(dir.get(), entry.name).ctime_ns > ctime_ns) {
        paths.push_back(sys::join_path(directory, entry.name));
      }
      if (paths.size() == kMostTouched) {
        return paths;
      }
    }
  }
  return paths;
}

void TreeWatch::forget(int watch) {
  const auto found = places_.find(watch);
  if (found == places_.end()) {
    return;
  }
  const Place& place = found->second;
  std::map<std::string, int>& watches = trees_[place.tree].watches;
  if (const auto at = watches.find(place.path); at != watches.end() && at->second == watch) {
    watches.erase(at);
  }
  partly_ -= place.partly ? 1 : 0;
  places_.erase(found);
}

// A directory that was moved away takes its watches with it.
void TreeWatch::forget_below(std::size_t tree, const std::string& path) {
  const std::map<std::string, int>& watches = trees_[tree].watches;
  for (auto at = watches.lower_bound(path); at != watches.end() && at->first.starts_with(path);) {
    const auto here = at++;
    if (is_at_or_below(here->first, path)) {
      ::inotify_rm_watch(inotify_.get(), here->second);
      forget(here->second);
    }
  }
}

// Gives the watches back, and takes none again.
void TreeWatch::forget_partly() {
  std::vector<int> watches;
  for (const auto& [watch, place] : places_) {
    if (place.partly) {
      watches.push_back(watch);
    }
  }
  for (const int watch : watches) {
    ::inotify_rm_watch(inotify_.get(), watch);
    forget(watch);
  }
  most_partly_ = 0;
}

// Another directory may have taken the name by now: for an exchange (renameat2(2)) the kernel
// reports each name as gone after it has reported it as new.
bool TreeWatch::follow_directory(const Place& above, std::uint32_t mask, const std::string& name) {
  Place place{above.tree, sys::join_path(above.path, name), above.partly};
  if ((mask & (IN_MOVED_FROM | IN_DELETE)) != 0) {
    forget_below(place.tree, place.path);
  }
  constexpr std::uint32_t kNames = IN_MOVED_TO | IN_CREATE | IN_MOVED_FROM | IN_DELETE;
  return (mask & kNames) == 0 || add(std::move(place));
}

TreeWatch::News TreeWatch::read() {
  News news;
  constexpr std::size_t kBytes = 65536;
  alignas(inotify_event) std::array<char, kBytes> buffer{};
  ssize_t got = 0;
  while ((got = ::read(inotify_.get(), buffer.data(), buffer.size())) > 0) {
    for (const char* at = buffer.data(); at < buffer.data() + got;) {
      inotify_event event{};
      std::memcpy(&event, at, sizeof event);
      take_in(at, news);
      at += sizeof event + event.len;
    }
  }
  return news;
}

void TreeWatch::take_in(const char* at, News& news) {
  inotify_event event{};
  std::memcpy(&event, at, sizeof event);
  if ((event.mask & IN_Q_OVERFLOW) != 0) {
    news.changed = true;
    news.more = true;
    news.lost = true;
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      news.complete = add({tree, {}}) && news.complete;
    }
    return;
  }
  const auto found = places_.find(event.wd);
  if (found == places_.end()) {
    return;
  }
  const Place place = found->second;
  if ((event.mask & IN_IGNORED) != 0) {
    forget(event.wd);
    return;
  }
  const std::string name = event.len > 0 ? at + sizeof event : "";
  note(place, event.mask, name, news);
  if ((event.mask & IN_ISDIR) != 0 && !name.empty()) {
    news.complete = follow_directory(place, event.mask, name) && news.complete;
  }
}

void TreeWatch::note(const Place& place, std::uint32_t mask, const std::string& name, News& news) {
  const bool saved = (mask & IN_CLOSE_WRITE) != 0;
  news.changed = news.changed || !saved;
  if (place.tree != 0 || name.empty()) {
    return;
  }
  std::string path = sys::join_path(place.path, name);
  if (!place.partly) {
    note_touched(mask, path, news);
    add_name(saved ? news.saved : news.names, std::move(path), news);
  } else if (std::vector<std::string>& names = saved ? news.saved_partly : news.names_partly;
             names.size() < kMostTouched) {
    names.push_back(std::move(path));
  }
}

void TreeWatch::note_touched(std::uint32_t mask, std::string name, News& news) {
  const bool directory = (mask & IN_ISDIR) != 0;
  if (directory && (mask & IN_ATTRIB) != 0) {
    return;
  }
  if (news.touched.size() == kMostTouched) {
    news.lost = true;
    return;
  }
  const bool only_made = !directory && (mask & IN_CREATE) != 0;
  news.touched[std::move(name)] |= !only_made;
}

}  // namespace shadow::watch
