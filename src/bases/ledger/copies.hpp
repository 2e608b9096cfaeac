// SPDX-License-Identifier: MIT
// Entries of the upper that are the project's: put there while the session was live, when nothing
// could be taken out, and not touched by its runs since.

#pragma once

#include "session/directory/review_session.hpp"
#include "store/tables/placed_copies.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace shadow::bases {

class Copies {
 public:
  // Borrows the session.
  explicit Copies(const session::ReviewSession& session);

  // The last copy that was put there, whatever became of it; null when there was none.
  [[nodiscard]] const store::PlacedCopy* find(const std::string& path) const;

  // True if the view had shown the session this version of the project's, by a copy that is there
  // or was when the last run ended.
  [[nodiscard]] bool has_shown(const std::string& path, const Entry& real) const;

  // The change time of the project's entry that was copied to this path, and that a run had made
  // something else of when the last one ended; 0: there was none.
  [[nodiscard]] std::int64_t shown_ctime_ns(const std::string& path) const;

  // Writes down what has_shown() is to know of copies that runs have changed, before they are
  // forgotten. Part of the caller's transaction.
  void remember_shown() const;

  // True if the session's entry at the path (Absent: it is deleted) is still that copy.
  [[nodiscard]] bool is_copy(const std::string& path, const Entry& own) const;

  // The same; of a directory whatever is in it by now.
  [[nodiscard]] bool is_untouched(const std::string& path, const Entry& own) const;

  // True if the session's directory at the path was copied, whatever is in it by now, and whatever
  // its mode.
  [[nodiscard]] bool is_copied_directory(const std::string& path) const;

  // True if the session has nothing at the path because it came into the project's directory after
  // that was copied, or with a directory in the place of what was copied. A directory that is made
  // where one was deleted is opaque (overlayfs, "whiteouts and opaque directories").
  [[nodiscard]] bool came_later(const std::string& path) const;

 private:
  const session::ReviewSession& session_;
  std::map<std::string, store::PlacedCopy> copies_;
  std::map<std::string, std::int64_t> shown_;
};

enum class Text : std::uint8_t { Kept, KeptLater };

// Notes `real` as the base of the path, to which it was copied in the upper, and the copy, unless a
// run has made something else of it. Part of the caller's transaction.
void note_restored(const session::ReviewSession& session, const std::string& path,
                   const Entry& real, Text text);

// Notes that the view had shown `real` and the session has deleted it, which a directory that was
// copied tells of none but its copies (came_later). Part of the caller's transaction.
void note_deleted(const session::ReviewSession& session, const std::string& path,
                  const Entry& real);

// Notes, after the view of a live session was made to show the project's at the path and below it,
// what is in the upper now: the copy (`copied`: what the project had, by path), nothing, or what a
// run has made of it meanwhile. Part of the caller's transaction.
void note_copy(const session::ReviewSession& session, const std::string& path,
               const std::map<std::string, Entry>& copied);

}  // namespace shadow::bases
