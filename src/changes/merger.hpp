// SPDX-License-Identifier: MIT
// Resolves a path whose real entry drifted: gathers the facts for the table of conflicts, and
// merges texts. Writes nothing.

#pragma once

#include "shadow/review.hpp"

#include "bases/ledger/sight.hpp"
#include "promote/plan/conflict.hpp"
#include "review/merge.hpp"
#include "session/directory/review_session.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace shadow::changes {

// The project's and the session's version of a file, which have two names when it was renamed.
struct TwoSides {
  std::string project_path;
  Entry project;
  std::string session_path;
  Entry session;
  bool content_differs = true;
  bool attributes_differ = false;
};

[[nodiscard]] TwoSides sides_of(const Change& change);

// The text of the base is needed to merge, but not to write markers.
enum class BaseText : std::uint8_t { Kept, MayBeMissing };

// A merge, and the session's text that it was made of.
struct MergedText {
  review::MergeResult result;
  std::string session;
};

class Merger {
 public:
  // Borrows the session.
  explicit Merger(const session::ReviewSession& session);

  // False of most paths: then base_of() gives the row's.
  [[nodiscard]] bool may_be_later(const std::string& path) const { return later_.count(path) != 0; }

  // The base by which the two are compared: what the session's entry was made from, if that is
  // later than the row's, the entry has all of it, and the project has something else by now; else
  // the row's. nullopt when there is no row.
  [[nodiscard]] std::optional<Base> base_of(const TwoSides& sides, const Base* base) const;

  // `base` is as base_of() gives it; null when there is no row. With a resolution of Merge the
  // texts, if there are any, have been merged and go together; a merge that gives what the project
  // has is Nothing, and one that gives what the session has is Write. Throws StaleError when a file
  // changes while it is read.
  [[nodiscard]] Resolution resolve(const TwoSides& sides, const Base* base) const;

  // True of a directory that the project deleted and the session left as it was, but for what is in
  // it.
  [[nodiscard]] bool is_way_to_changes(const TwoSides& sides, const Base& base) const;

  // True of a directory that the session has only for what it deleted or made in it and has no
  // more, where the project has something else by now.
  [[nodiscard]] bool is_trace(const TwoSides& sides) const;

  // The merge of the texts; with MayBeMissing of two texts alone when there is no base, which is a
  // conflict of all that differs. nullopt when the base's text is missing or a side is too large.
  [[nodiscard]] std::optional<MergedText> merge(const TwoSides& sides, const Base* base,
                                                BaseText needed) const;

  // The whole of one side's file, at most kMostBytesOfAFile. Throws StaleError.
  [[nodiscard]] std::string project_text(const TwoSides& sides) const;
  [[nodiscard]] std::string session_text(const TwoSides& sides) const;

 private:
  [[nodiscard]] bool is_made_from(const TwoSides& sides, const Base& base, const Base& later) const;
  [[nodiscard]] bool settles(const TwoSides& sides, const Base& later) const;
  [[nodiscard]] bool brings_back(const TwoSides& sides, const Base& base) const;
  [[nodiscard]] bool gone_with_directory(const TwoSides& sides) const;
  [[nodiscard]] bool holds_changes(const TwoSides& sides, const Base& base) const;
  [[nodiscard]] bool is_older_directory(const TwoSides& sides) const;
  [[nodiscard]] bool was_directory(const TwoSides& sides, const Base* base) const;
  [[nodiscard]] bool may_undo_project(const TwoSides& sides, const Base& base,
                                      promote::Seen seen) const;
  [[nodiscard]] Resolution resolve_later(const TwoSides& sides, const Base* base,
                                         Resolution resolution, promote::Seen seen) const;
  [[nodiscard]] Entry project_as_seen(const TwoSides& sides, const Base* base) const;
  [[nodiscard]] promote::ThreeWay facts(const TwoSides& sides, const Base* base) const;
  [[nodiscard]] std::optional<std::string> base_text(const Base& base) const;

  const session::ReviewSession& session_;
  store::Blobs blobs_;
  bases::Sight sight_;
  std::set<std::string> later_;  // the paths of which base_of() may give another one
};

// Larger files are not merged: their bases are not kept.
[[nodiscard]] bool small_enough_to_merge(const Entry& entry);

}  // namespace shadow::changes
