// SPDX-License-Identifier: MIT
// The index of a work tree from its one or two files.
#include "shadow/error.hpp"

#include "git/index/git_index.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <sys/stat.h>

namespace shadow::git {
namespace {

struct Loaded {
  IndexEntries index;
  std::int64_t mtime_ns = 0;
};

std::optional<Loaded> load(const std::string& path) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  struct stat st {};
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return std::nullopt;
  }
  try {
    if (auto index = parse_index_entries(sys::read_all(fd.get(), kMostOfIndex))) {
      return Loaded{*std::move(index), st.st_mtim.tv_sec * kSecond + st.st_mtim.tv_nsec};
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

bool by_path(const IndexEntry& a, const IndexEntry& b) {
  return a.path < b.path;
}

}  // namespace

std::optional<std::vector<IndexEntry>> join_split_index(IndexEntries split,
                                                        std::vector<IndexEntry> shared) {
  std::size_t next = 0;
  for (const std::uint32_t position : split.replaced) {
    if (position >= shared.size() || next >= split.entries.size() ||
        !split.entries[next].path.empty()) {
      return std::nullopt;
    }
    IndexEntry& entry = split.entries[next++];
    entry.path = std::move(shared[position].path);
    shared[position] = std::move(entry);
  }
  for (const std::uint32_t position : split.deleted) {
    if (position >= shared.size()) {
      return std::nullopt;
    }
    shared[position].path.clear();
  }
  std::erase_if(shared, [](const IndexEntry& entry) { return entry.path.empty(); });
  for (; next < split.entries.size(); ++next) {
    if (split.entries[next].path.empty()) {
      return std::nullopt;
    }
    shared.push_back(std::move(split.entries[next]));
  }
  std::stable_sort(shared.begin(), shared.end(), by_path);
  return shared;
}

std::optional<IndexFile> read_index_file(const std::string& path) {
  auto own = load(path);
  if (!own) {
    return std::nullopt;
  }
  IndexFile file;
  file.written_ns = own->mtime_ns;
  const auto beside = shared_file(path, own->index.shared_id);
  if (!beside) {
    file.entries = std::move(own->index.entries);
    std::stable_sort(file.entries.begin(), file.entries.end(), by_path);
    return file;
  }
  auto shared = load(*beside);
  if (!shared || !shared->index.shared_id.empty()) {
    return std::nullopt;
  }
  auto entries = join_split_index(std::move(own->index), std::move(shared->index.entries));
  if (!entries) {
    return std::nullopt;
  }
  file.entries = *std::move(entries);
  file.written_ns = std::min(file.written_ns, shared->mtime_ns);
  return file;
}

}  // namespace shadow::git
