// SPDX-License-Identifier: MIT
// Tells that something changed in the directories of a tree: names that come, go or are given to
// another file, and attributes; and, for those who want that, what is written into files, or that
// one was closed after that.

#pragma once

#include "sys/files/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace shadow::watch {

class TreeWatch {
 public:
  enum class Heeds : std::uint8_t { Names, Saves, Contents };

  // How far a directory is watched, with what lies below it. Of those with Some as many are watched
  // as the number given to the constructor, the upper ones first, and once all others are.
  enum class Reach : std::uint8_t { All, Some, None };

  // Tells that of a directory by its path below the root.
  using ReachOf = std::function<Reach(const std::string& path)>;

  // Watches nothing yet. At most `most_partly` of the directories with Reach::Some will be.
  explicit TreeWatch(Heeds heeds = Heeds::Names, std::size_t most_partly = 0);

  // Watches a tree. False when the user's limits (fs.inotify) do not suffice for all; what is
  // watched by then is watched on. Where they do not suffice for those with Reach::Some, none of
  // these is: an editor needs some of the user's watches, too.
  bool add_tree(const std::string& root, ReachOf reach_of);

  // Names in the first tree that changed after that time and before they were watched: in a
  // directory whose names did, those that are as young. If there are very many, some of them.
  [[nodiscard]] std::vector<std::string> names_since(std::int64_t ctime_ns) const;

  // Paths of the first tree, other than directories, that changed after that time, though not all
  // if there are very many. Looks at every one.
  [[nodiscard]] std::vector<std::string> changed_since(std::int64_t ctime_ns) const;

  // Readable when something changed.
  [[nodiscard]] int fd() const { return inotify_.get(); }

  struct News {
    bool changed = false;
    bool complete = true;            // false: the limits do not suffice any more
    std::vector<std::string> names;  // those that changed, in the first tree
    std::vector<std::string> saved;  // those that were written in place there, with Saves
    bool more = false;               // there are more of either

    // Likewise, in directories with Reach::Some. If there are very many, some of them.
    std::vector<std::string> names_partly;
    std::vector<std::string> saved_partly;

    // All names in the first tree that came, went, or whose files or attributes changed; false for
    // one that was only made, and is perhaps being written. Of directories those that came or went.
    std::map<std::string, bool> touched;
    bool lost = false;  // there were too many of these
  };
  // The events since the last call. New directories are watched from now on.
  News read();

 private:
  struct Place {
    std::size_t tree = 0;
    std::string path;
    bool partly = false;
  };
  struct Tree {
    sys::Fd root;
    ReachOf reach_of;
    std::map<std::string, int> watches;  // by path
  };
  bool add(Place first);
  bool add_all(const Place& first);
  bool add_one(const Place& place, std::deque<Place>& below);
  void add_waiting();
  void forget(int watch);
  void forget_below(std::size_t tree, const std::string& path);
  void forget_partly();
  void take_in(const char* event, News& news);
  static void note(const Place& place, std::uint32_t mask, const std::string& name, News& news);
  static void note_touched(std::uint32_t mask, std::string name, News& news);
  bool follow_directory(const Place& above, std::uint32_t mask, const std::string& name);

  sys::Fd inotify_;
  Heeds heeds_;
  std::size_t most_partly_;
  std::size_t partly_ = 0;     // how many are watched
  std::deque<Place> waiting_;  // to be watched partly, the upper ones first
  std::vector<Tree> trees_;
  std::unordered_map<int, Place> places_;  // by watch
};

}  // namespace shadow::watch
