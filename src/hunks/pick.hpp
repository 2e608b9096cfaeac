// SPDX-License-Identifier: MIT
// A choice of parts: what a person is asked about one by one, and what was answered.

#pragma once

#include "shadow/hunks.hpp"
#include "shadow/review.hpp"

#include "changes/patch_files.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow::hunks {

// Files of a patch by their paths, of which the contents are held in a state that stays.
using HeldFiles = std::map<std::string, PatchFile>;

// What is asked about in one go: a change, or one that is nothing without others.
struct Offer {
  ReviewItem item;

  // What comes and goes with it: everything below a path that changes from or to a directory, and
  // the inside of a new git directory.
  std::vector<ReviewItem> with;

  // What is shown of it and taken; where there is none, the session as it is.
  std::shared_ptr<const HeldFiles> held{};
};

enum class PartKind : std::uint8_t {
  Mode,        // the permission bits of a file
  Attributes,  // its user.* attributes
  Hunk,        // some of its lines
  Addition,
  Deletion,
  Whole  // all else: binary content, a link's target, a change of type
};

enum class Decision : std::uint8_t { Undecided, Taken, Refused };

struct Part {
  PartKind kind = PartKind::Whole;
  Decision decision = Decision::Undecided;
  bool edited = false;  // the hunk is not what the session has
  bool seen = false;    // it was shown
  Hunk hunk;
};

// An offer with its parts, in the order in which they are asked about.
struct Pick {
  Offer offer;
  std::vector<Part> parts;
};

[[nodiscard]] bool takes(const Pick& pick, PartKind kind);
[[nodiscard]] bool takes_nothing(const Pick& pick);
// All parts as they are in the session.
[[nodiscard]] bool takes_everything(const Pick& pick);
[[nodiscard]] std::vector<Hunk> taken_hunks(const Pick& pick);

// Whether an item is asked about; those that are not are applied with others or stay.
using Asked = std::function<bool(const ReviewItem& item)>;

// The offers of a review's items (sorted by path), in their order. A directory that was added or
// deleted with something in it is no offer: what is in it is.
[[nodiscard]] std::vector<Offer> make_offers(const std::vector<ReviewItem>& items,
                                             const Asked& asked);

// The two texts that hunks lie between.
struct Texts {
  std::string before;
  std::string after;
};

// nullopt when the two are not both files, or too large to be shown. Throws StaleError when one of
// them is not what was reviewed.
[[nodiscard]] std::optional<Texts> read_texts(const session::ReviewSession& session,
                                              const ReviewItem& item, changes::Shown shown);
[[nodiscard]] std::optional<Texts> read_texts(const PatchFile& file);

// The patch of an item of the offer: at most one file.
[[nodiscard]] std::vector<PatchFile> files_of(const session::ReviewSession& session,
                                              const Offer& offer, const ReviewItem& item,
                                              changes::Shown shown);

// The parts of an offer. `texts` is filled when there are hunks among them.
[[nodiscard]] std::vector<Part> parts_of(const session::ReviewSession& session, const Offer& offer,
                                         changes::Shown shown, Texts& texts);

}  // namespace shadow::hunks
