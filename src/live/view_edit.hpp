// SPDX-License-Identifier: MIT
// Changes of a session's side that are made through its view while it is live. Each path is as it
// was or as it is to be, for the runs as well as for who is killed on the way.
//
// An entry equal to the project's stays in the upper as a redundant copy: through the view nothing
// can be removed from the upper where the lower has something.

#pragma once

#include "shadow/entry.hpp"

#include "live/staged_place.hpp"
#include "overlay/write/rewrite.hpp"
#include "sys/files/fd.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::live {

class ViewEdit {
 public:
  struct Trees {
    int view = -1;
    int lower = -1;
    int upper = -1;    // is looked at only
    int session = -1;  // its directory: notes what is staged
  };

  // Borrows all descriptors. What an edit that was killed left in the view is removed.
  explicit ViewEdit(const Trees& trees);

  // Makes the view at `path` and below what the project has there, whatever it had. Where a file
  // changes meanwhile it is tried again a few times. Throws StaleError.
  void restore(const std::string& path);

  // The same for one path that is no directory, unless the upper's entry is not `reviewed` any
  // more: StaleError, and it stays.
  void restore_reviewed(const std::string& path, const Entry& reviewed);

  // Replaces the regular file at `path`, unless the upper's is not `reviewed` any more: StaleError,
  // and it stays.
  void write(const std::string& path, const overlay::NewContent& content, const Entry& reviewed);

  // Gives the view's directory the attributes of the project's.
  void adopt(const std::string& path);

  // Makes the view at `path` what another upper has there: a whiteout, or a copy of its entry, of a
  // new directory with all that is in it. False when that has nothing, or when the session's upper
  // decides about the path already, by another entry than `replaced`.
  bool take_over(int other_upper, const std::string& path, const Entry& replaced = {});

  // Removes what the view has at `path`; the lower's entry is hidden then.
  void remove(const std::string& path) const;

  // Removes the directory unless something is in it. False when it stays.
  bool remove_if_empty(const std::string& path) const;

  // The project's entries at paths where the upper, if it has an entry, has the same.
  [[nodiscard]] const std::map<std::string, Entry>& copied() const { return copied_; }

 private:
  [[nodiscard]] StagedPlace open_place(const std::string& path);
  [[nodiscard]] Entry expect(const std::string& path, const Entry& reviewed) const;
  void restore_once(const std::string& path);
  void put(const std::string& path, const Entry& there);
  void restore_directory(const std::string& path, std::vector<std::string>& left);
  [[nodiscard]] std::vector<std::string> names_to_restore(const std::string& path) const;
  [[nodiscard]] bool is_merged(const std::string& path) const;
  void remove_what_is_the_projects(const std::string& path) const;
  [[nodiscard]] bool has_directory_or_none(std::string_view path) const;
  [[nodiscard]] bool is_same(const std::string& path) const;
  template <class Make, class Use>
  void stage(const StagedPlace& place, const Make& make, const Use& use) const;
  void note_staged(const std::string& path) const;
  void forget_staged() const;
  void remove_staged() const;

  Trees trees_;
  std::map<std::string, Entry> copied_;
};

// True if an edit was killed, or is in progress.
[[nodiscard]] bool has_staged_in_view(int session);

// Removes from the upper of an idle session what a killed edit had staged in its view. Needs the
// session's locks.
void remove_staged_in_view(int session, int upper, int lower);

}  // namespace shadow::live
