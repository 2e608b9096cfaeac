// SPDX-License-Identifier: MIT
// Bases by the ledger: what the real files were, taken when the session first changed them.

#pragma once

#include "shadow/session.hpp"

#include "overlay/scan.hpp"
#include "store/bases.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

struct CapturedBase {
  std::string path;
  store::BaseRow row;
};

class BaseCapture {
 public:
  // `lower` is the real root's descriptor (borrowed).
  BaseCapture(const StateDir& state, std::string session, int lower, std::int64_t base_time_ns);

  // The bases of those entries that have none yet and whose real file exists, and of those whose
  // base is without its text while the real file still is that base. Contents up to
  // kMostBytesOfAFile go into the blobs; larger files are known by their hash or their times alone.
  // What cannot be read gets no base: it then counts as changed when its times say so.
  [[nodiscard]] std::vector<CapturedBase> take(
      store::Database& db, const std::vector<const overlay::UpperEntry*>& entries) const;

  static constexpr std::uint64_t kMostBytesOfAFile = std::uint64_t{8} << 20U;
  static constexpr std::uint64_t kMostBytesToHash = std::uint64_t{256} << 20U;

 private:
  [[nodiscard]] store::BaseRow row_of(const std::string& path, const Entry& real,
                                      bool is_base) const;

  const StateDir& state_;
  std::string session_;
  int lower_;
  std::int64_t base_time_ns_;
};

}  // namespace shadow
