// SPDX-License-Identifier: MIT
// A choice of parts: what a person is asked about one by one, and what was answered.

#pragma once

#include "shadow/parts.hpp"
#include "shadow/patch.hpp"

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

struct Offer : OfferedChange {
  // The copies that are shown and taken; if there are none, the session's present files.
  std::shared_ptr<const HeldFiles> held{};
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

// True if an item is offered; others are applied with it or stay.
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
                                              const ReviewItem& item, Shown shown);
[[nodiscard]] std::optional<Texts> read_texts(const PatchFile& file);

// The patch of an item of the offer: at most one file.
[[nodiscard]] std::vector<PatchFile> files_of(const session::ReviewSession& session,
                                              const Offer& offer, const ReviewItem& item,
                                              Shown shown);

// The parts of an offer. `texts` is filled when there are hunks among them.
[[nodiscard]] std::vector<Part> parts_of(const session::ReviewSession& session, const Offer& offer,
                                         Shown shown, Texts& texts);

}  // namespace shadow::hunks
