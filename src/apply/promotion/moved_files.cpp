// SPDX-License-Identifier: MIT
#include "apply/promotion/moved_files.hpp"

#include "shadow/patch.hpp"

#include "base/hash.hpp"
#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"
#include "review/renames.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"
#include "store/tables/applies.hpp"
#include "sys/files/file.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shadow::apply {
namespace {

using promote::Row;

constexpr std::uint64_t kMostCompared = std::uint64_t{64} << 20U;  // of texts that lie in memory

class MovedFiles {
 public:
  MovedFiles(const ApplySite& site, std::int64_t apply)
      : tree_{site.project}, blobs_{site.state}, pre_images_{site.state}, apply_{apply} {}

  void find(const std::vector<Row>& rows, const std::set<std::string>& old_names);
  [[nodiscard]] MovedFrom take() { return std::move(moved_from_); }

 private:
  [[nodiscard]] sys::Fd open_before(const Row& row) const;
  [[nodiscard]] std::string hash_before(const Row& row) const;
  [[nodiscard]] bool is_there_again(const Row& row) const;
  void add(const std::string& to, const std::string& from);
  void find_targets(const std::vector<Row>& rows);
  void find_sources(const std::vector<Row>& rows, const std::set<std::string>& old_names);
  void pair_equal();
  void pair_similar();

  promote::Tree tree_;
  store::Blobs blobs_;
  store::PreImages pre_images_;
  std::int64_t apply_;
  std::vector<const Row*> sources_;                 // what was deleted
  std::set<std::string> wanted_;                    // of its paths
  std::multimap<std::string, const Row*> targets_;  // by content
  MovedFrom moved_from_;
};

// Of a file that was deleted; empty if its content is not kept.
sys::Fd MovedFiles::open_before(const Row& row) const {
  return row.before_blob.empty() ? pre_images_.open(apply_, row.ord) : blobs_.open(row.before_blob);
}

std::string MovedFiles::hash_before(const Row& row) const {
  if (!row.before_blob.empty()) {
    return row.before_blob;
  }
  const sys::Fd fd = open_before(row);
  return fd ? to_hex(store::hash_file(fd.get())) : std::string{};
}

// With the text that the apply deleted.
bool MovedFiles::is_there_again(const Row& row) const {
  const Entry now = tree_.look(row.path);
  if (now.kind != EntryKind::File || now.size != row.before.size) {
    return false;
  }
  const std::string hash = tree_.content_hash(row.path);
  return !hash.empty() && hash == hash_before(row);
}

void MovedFiles::add(const std::string& to, const std::string& from) {
  if (wanted_.count(from) != 0) {
    moved_from_.emplace(to, from);
  }
}

void MovedFiles::find_targets(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (promote::operation_of(row) == promote::Operation::Put && !row.before.exists() &&
        row.after.kind == EntryKind::File && !row.after_hash.empty()) {
      targets_.emplace(row.after_hash, &row);
    }
  }
}

void MovedFiles::find_sources(const std::vector<Row>& rows,
                              const std::set<std::string>& old_names) {
  for (const Row& row : rows) {
    if (promote::operation_of(row) == promote::Operation::Delete &&
        row.before.kind == EntryKind::File && row.before.size > 0) {
      sources_.push_back(&row);
    }
  }
  for (const Row* row : sources_) {
    if (old_names.count(row->path) != 0 && !is_there_again(*row)) {
      wanted_.insert(row->path);
    }
  }
}

void MovedFiles::pair_equal() {
  std::erase_if(sources_, [&](const Row* row) {
    const auto found = targets_.find(hash_before(*row));
    if (found == targets_.end()) {
      return false;
    }
    add(found->second->path, row->path);
    targets_.erase(found);
    return true;
  });
}

void MovedFiles::pair_similar() {
  std::vector<PatchFile> files;
  std::uint64_t bytes = 0;
  for (const Row* row : sources_) {
    const sys::Fd fd = open_before(*row);
    if (!fd || row->before.size > kMostCompared - bytes) {
      continue;
    }
    bytes += row->before.size;
    PatchFile file;
    file.path = row->path;
    file.before = row->before;
    file.before.ino = 0;  // the bytes are not those of the project's inode
    file.before_content.bytes = sys::read_all(fd.get(), file.before.size);
    files.push_back(std::move(file));
  }
  if (files.empty()) {
    return;
  }
  for (const auto& [hash, row] : targets_) {
    PatchFile file;
    file.path = row->path;
    file.after = tree_.look(row->path);
    file.after_content = {tree_.root(), row->path, {}};
    if (file.after.kind == EntryKind::File) {
      files.push_back(std::move(file));
    }
  }
  PatchOptions options;
  options.max_text_bytes = kMostCompared;
  for (const review::Rename& rename : review::find_renames(files, options)) {
    add(files[rename.to].path, files[rename.from].path);
  }
}

void MovedFiles::find(const std::vector<Row>& rows, const std::set<std::string>& old_names) {
  find_targets(rows);
  if (targets_.empty()) {
    return;  // what was deleted only need not be looked at
  }
  find_sources(rows, old_names);
  if (wanted_.empty()) {
    return;
  }
  pair_equal();
  pair_similar();
}

}  // namespace

MovedFrom find_moved(const ApplySite& site, std::int64_t apply,
                     const std::set<std::string>& old_names) {
  // Of new files and of what was deleted; no other is asked for.
  std::vector<Row> rows;
  store::each_step(site.database, apply, store::StepOrder::Forward, [&rows](Row& row) {
    const auto operation = promote::operation_of(row);
    const bool is_new = operation == promote::Operation::Put && !row.before.exists();
    if (is_new || operation == promote::Operation::Delete) {
      rows.push_back(std::move(row));
    }
  });
  MovedFiles files{site, apply};
  files.find(rows, old_names);
  return files.take();
}

}  // namespace shadow::apply
