// SPDX-License-Identifier: MIT
#include "git/commits/packing.hpp"

#include "base/wire.hpp"

#include <cstdint>
#include <utility>

namespace shadow::git {

namespace {

BranchWork read_row(WireReader& in) {
  BranchWork row;
  row.branch = in.text();
  row.ref = in.text();
  const std::uint64_t state = in.number();
  row.state = state < static_cast<std::uint64_t>(BranchWork::State::Unreadable)
                  ? static_cast<BranchWork::State>(state)
                  : BranchWork::State::Unreadable;
  row.real_id = in.text();
  row.view_id = in.text();
  row.more = in.number() != 0;
  row.arrived = in.number() != 0;
  for (std::uint64_t count = in.number(); in.ok() && count > 0; --count) {
    Commit commit;
    commit.id = in.text();
    commit.author = in.text();
    commit.time = static_cast<std::int64_t>(in.number());
    commit.subject = in.text();
    row.commits.push_back(std::move(commit));
  }
  return row;
}

}  // namespace

std::string pack(const std::vector<BranchWork>& rows) {
  WireWriter out;
  for (const BranchWork& row : rows) {
    out.text(row.branch);
    out.text(row.ref);
    out.number(static_cast<std::uint64_t>(row.state));
    out.text(row.real_id);
    out.text(row.view_id);
    out.number(row.more ? 1 : 0);
    out.number(row.arrived ? 1 : 0);
    out.number(row.commits.size());
    for (const Commit& commit : row.commits) {
      out.text(commit.id);
      out.text(commit.author);
      out.number(static_cast<std::uint64_t>(commit.time));
      out.text(commit.subject);
    }
  }
  return out.take();
}

std::optional<std::vector<BranchWork>> unpack(std::string_view bytes) {
  WireReader in{bytes};
  std::vector<BranchWork> rows;
  while (in.ok() && !in.done()) {
    rows.push_back(read_row(in));
  }
  return in.ok() ? std::optional{std::move(rows)} : std::nullopt;
}

}  // namespace shadow::git
