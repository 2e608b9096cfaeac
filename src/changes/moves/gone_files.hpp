// SPDX-License-Identifier: MIT
// Files that are not in the session any more, and mostly not in the project either, as the session
// began with them: what a new file of the session's may have been.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/records.hpp"
#include "shadow/review.hpp"

#include "bases/tree/base_tree.hpp"
#include "session/directory/review_session.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shadow::changes {

// More than this is no work of a moment, and what one took for a move then is no more than a guess.
inline constexpr std::size_t kMostFilesOfMoves = 5'000;

// The sizes of the new files. What differs more from each of them shares less than half of its
// lines with any, and is not read.
class Sizes {
 public:
  explicit Sizes(std::vector<std::uint64_t> all);

  [[nodiscard]] bool have_like(std::uint64_t size) const;

 private:
  std::vector<std::uint64_t> all_;  // sorted
};

// What the session alone deletes, of such sizes, as the sides of a patch that go.
[[nodiscard]] std::vector<PatchFile> deleted_by_session(const session::ReviewSession& session,
                                                        const std::vector<ReviewItem>& items,
                                                        const Sizes& sizes);

// The paths whose bases are known, each source read when it is first asked for. Borrows the
// session.
class KnownPaths {
 public:
  explicit KnownPaths(const session::ReviewSession& session) : session_{session} {}

  [[nodiscard]] const std::map<std::string, Base>& rows();
  [[nodiscard]] const bases::BaseTree* tree();  // null where there is none

 private:
  const session::ReviewSession& session_;
  std::optional<std::map<std::string, Base>> rows_;
  std::optional<bases::BaseTree> tree_;
  bool tree_read_ = false;
};

class GoneFiles {
 public:
  // `sizes` are those of the new files. Borrows the session and the paths.
  GoneFiles(const session::ReviewSession& session, KnownPaths& known, Sizes sizes);

  // Looks at a path that the session deletes, and below it: a directory is deleted as a whole.
  void note_deletion(const std::string& path);

  // Looks at each path whose base is known.
  void note_all();

  // Looks at the paths at which the session had something of its own: without it, it has moved or
  // deleted that. `items` are sorted by their paths; those are not looked at.
  void note_taken_away(const std::vector<ReviewItem>& items);

  // True if no file has gone.
  [[nodiscard]] bool empty() const { return found_.empty() && unread_.empty(); }

  // Those whose texts are known, as the sides of a patch that go.
  [[nodiscard]] std::vector<PatchFile> as_deleted() const;

  // True if one that is none of those, as it is too large or was replaced before it could be read,
  // had this size and time of last modification: a rename keeps both.
  [[nodiscard]] bool may_be_unread(const Entry& moved) const;

  // The path that note_deletion was given when it found the file; its own after the others.
  [[nodiscard]] const std::string& deletion_of(const std::string& path) const;

 private:
  struct Found {
    std::string path;
    Base base;
  };

  [[nodiscard]] bool went_on_both_sides(const std::string& path) const;
  void note(const std::string& gone, const std::string& path, const Base& base);
  void note_tree(const std::string& gone, const bases::TreeEntry& entry);
  void add_objects(const std::vector<const Found*>& objects, std::vector<PatchFile>& files) const;

  const session::ReviewSession& session_;
  KnownPaths& known_;
  Sizes sizes_;
  std::vector<Found> found_;
  std::set<std::pair<std::uint64_t, std::int64_t>> unread_;  // sizes and times
  std::map<std::string, std::string> deletions_;             // by the file's path
  std::uint64_t bytes_ = 0;
  std::size_t tries_ = 0;
};

}  // namespace shadow::changes
