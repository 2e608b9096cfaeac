// SPDX-License-Identifier: MIT
// Bases by the ledger: what the real files were, taken when the session first changed them.

#pragma once

#include "shadow/base.hpp"
#include "shadow/session.hpp"

#include "bases/capture/shown.hpp"
#include "bases/capture/touched_entry.hpp"
#include "bases/tree/base_tree.hpp"
#include "overlay/read/scan.hpp"
#include "session/directory/session_dir.hpp"
#include "store/tables/base_attributes.hpp"
#include "store/tables/bases.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::bases {

// A known file whose content is neither kept nor an object of the project, and not too large to be
// kept.
[[nodiscard]] bool wants_text(const Base& base);

struct CapturedBase {
  std::string path;
  Base base;
  // Of the project's file, where it is that base still.
  std::optional<store::BaseAttributes> attributes{};
};

// What a session's entry can have been made from, where that is `later` than its base: newest
// first.
struct MadeFrom {
  std::string path;
  Base base;
  std::vector<Base> later;
};

class BaseCapture {
 public:
  // `lower` is the real root's descriptor; it and the session are borrowed.
  BaseCapture(const StateDir& state, const session::SessionDir& session, int lower,
              std::int64_t base_time_ns);

  // The bases of those entries that have none yet and whose real file exists, and of those whose
  // base is without its text while the real file still is that base. Contents up to
  // kMostBytesOfAFile go into the blobs; larger files are known by their hash or their times alone.
  // Where the real file is not what the session could have read first, the base tree is asked. What
  // cannot be read gets no base: it then counts as changed when its times say so. `began_ns` is the
  // start of the earliest run that may have made the entries.
  [[nodiscard]] std::vector<CapturedBase> take(store::Database& db,
                                               const std::vector<TouchedEntry>& entries,
                                               std::int64_t began_ns) const;

  // What the project has, or a live view has shown, where an entry that was not there before can
  // have been made from something later than its base: `bases` are the ones that take() has given
  // for the entries.
  [[nodiscard]] std::vector<MadeFrom> made_from(store::Database& db,
                                                const std::vector<TouchedEntry>& entries,
                                                const std::vector<CapturedBase>& bases) const;

  // Completes the session's bases that are uncertain or lack their text, from the base tree.
  [[nodiscard]] std::vector<CapturedBase> mend(store::Database& db) const;

  // True if the base tree tells what was at the path, where the real entry is: it is not one of too
  // many, nor was it there and ignored by git.
  [[nodiscard]] bool tree_tells_of(const std::string& path, const Entry& real) const;

  static constexpr std::uint64_t kMostBytesOfAFile = std::uint64_t{8} << 20U;
  static constexpr std::uint64_t kMostBytesToHash = std::uint64_t{256} << 20U;

 private:
  [[nodiscard]] const BaseTree* tree() const;
  [[nodiscard]] std::optional<Base> base_of_merged(const TouchedEntry& touched,
                                                   const Entry& real) const;
  [[nodiscard]] Base instead_of(const std::string& path, Base unsure) const;
  [[nodiscard]] const TreeEntry* known_of(const std::string& path) const;
  [[nodiscard]] std::optional<Base> before_came(const std::string& path, const Entry& real) const;
  [[nodiscard]] bool came_before(const TouchedEntry& touched, const Entry& real,
                                 std::int64_t began_ns) const;
  [[nodiscard]] bool came_before_deletion(store::Database& db, const TouchedEntry& touched,
                                          const Entry& real, std::int64_t began_ns) const;
  [[nodiscard]] bool is_base_again(const TouchedEntry& touched, const Entry& real,
                                   const Base& base) const;
  [[nodiscard]] bool came_followed(const Entry& own, std::int64_t began_ns) const;
  [[nodiscard]] std::optional<Base> first_base(store::Database& db, const TouchedEntry& touched,
                                               const Entry& real, std::int64_t began_ns) const;
  [[nodiscard]] std::optional<Base> shown_first(store::Database& db, const TouchedEntry& touched,
                                                const Entry& real) const;
  [[nodiscard]] std::optional<Base> later_real(const TouchedEntry& touched, const Base& base) const;
  [[nodiscard]] std::vector<Base> later_than(store::Database& db, const TouchedEntry& touched,
                                             const Base& base) const;
  [[nodiscard]] std::optional<Base> renewed(store::Database& db, const Base& known,
                                            const TouchedEntry& touched, const Entry& real) const;
  [[nodiscard]] Base base_of(const std::string& path, const Entry& real, bool is_base) const;

  const StateDir& state_;
  std::string session_;
  const session::SessionDir& session_dir_;
  Shown shown_;
  int lower_;
  std::int64_t base_time_ns_;
  mutable std::optional<BaseTree> tree_;  // read when first needed
};

}  // namespace shadow::bases
