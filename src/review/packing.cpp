// SPDX-License-Identifier: MIT
#include "review/packing.hpp"

#include <cstdint>
#include <cstring>

namespace shadow::review {

void ByteWriter::number(std::uint64_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void ByteWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  if (rest_.size() < sizeof value) {
    ok_ = false;
    return 0;
  }
  std::memcpy(&value, rest_.data(), sizeof value);
  rest_.remove_prefix(sizeof value);
  return value;
}

std::string ByteReader::text() {
  const std::uint64_t size = number();
  if (size > rest_.size()) {
    ok_ = false;
    return {};
  }
  std::string value{rest_.substr(0, size)};
  rest_.remove_prefix(size);
  return value;
}

namespace {

BranchWork read_row(ByteReader& in) {
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
  ByteWriter out;
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
  ByteReader in{bytes};
  std::vector<BranchWork> rows;
  while (in.ok() && !in.done()) {
    rows.push_back(read_row(in));
  }
  return in.ok() ? std::optional{std::move(rows)} : std::nullopt;
}

}  // namespace shadow::review
