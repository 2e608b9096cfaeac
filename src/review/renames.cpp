// SPDX-License-Identifier: MIT
#include "review/renames.hpp"

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "git/repository/handle.hpp"
#include "review/content.hpp"
#include "sys/files/beneath.hpp"

#include <git2/sys/hashsig.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace shadow::review {
namespace {

using Signature = git::Handle<git_hashsig, git_hashsig_free>;

constexpr unsigned kLeastSimilarity = 50;                              // git's default for -M
constexpr std::uint64_t kMostSimilarBytes = std::uint64_t{64} << 20U;  // larger: exact moves only

// One file that may be half of a rename.
struct Candidate {
  std::size_t file;
  FileVersion side;
  bool paired = false;
};

using Candidates = std::vector<Candidate>;

std::string_view base_name(const Candidate& candidate) {
  return sys::split_path(*candidate.side.path).name;
}

struct Found {
  Candidates deleted;
  Candidates created;
};

Found find_candidates(const std::vector<PatchFile>& files, std::uint64_t most_bytes) {
  Found found;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool before = git_mode(files[i].before) != 0;
    const bool after = git_mode(files[i].after) != 0;
    if (before == after) {
      continue;
    }
    const FileVersion side = before ? before_of(files[i]) : after_of(files[i]);
    // Not of a symlink: an equal one has no mode line, and without it `git apply` does not see the
    // link go and refuses a file below its name ("beyond a symbolic link").
    if (side.entry->kind != EntryKind::File) {
      continue;
    }
    const std::uint64_t size = content_size(side);
    if (size > 0 && size <= most_bytes) {
      (before ? found.deleted : found.created).push_back({i, side});
    }
  }
  return found;
}

class Pairing {
 public:
  explicit Pairing(Found found)
      : deleted_{std::move(found.deleted)}, created_{std::move(found.created)} {}

  void pair_equal();
  void pair_similar(std::size_t most_pairs);
  [[nodiscard]] std::vector<Rename> take() { return std::move(renames_); }

 private:
  // Kind, size, both halves of the hash, and the name for the pass that wants equal names.
  using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::string_view>;

  struct Couple {
    Candidate* from;
    Candidate* to;
    bool same = false;
  };

  void pair(Candidate& from, Candidate& to, unsigned similarity) {
    from.paired = true;
    to.paired = true;
    renames_.push_back({from.file, to.file, similarity});
  }
  void pair_by_key(const std::vector<Key>& deleted_keys, const std::vector<Key>& created_keys);

  Candidates deleted_;
  Candidates created_;
  std::vector<Rename> renames_;
};

// Files with equal keys pair in the order of their paths.
void Pairing::pair_by_key(const std::vector<Key>& deleted_keys,
                          const std::vector<Key>& created_keys) {
  std::map<Key, std::vector<std::size_t>> sources;  // last in path order first
  for (std::size_t i = deleted_keys.size(); i-- > 0;) {
    if (!deleted_[i].paired) {
      sources[deleted_keys[i]].push_back(i);
    }
  }
  std::vector<Couple> couples;
  for (std::size_t i = 0; i < created_keys.size(); ++i) {
    const auto found = sources.find(created_keys[i]);
    if (created_[i].paired || found == sources.end() || found->second.empty()) {
      continue;
    }
    couples.push_back({&deleted_[found->second.back()], &created_[i]});
    found->second.pop_back();
  }
  // The hash can be forged, and a forged pair would hide a file's new content from the summary.
  in_parallel(couples.size(), kShareOfFiles, [&](std::size_t i) {
    couples[i].same = same_content(couples[i].from->side, couples[i].to->side);
  });
  for (const Couple& couple : couples) {
    if (couple.same) {
      pair(*couple.from, *couple.to, 100);
    }
  }
}

void Pairing::pair_equal() {
  std::map<std::uint64_t, std::pair<bool, bool>>
      sizes;  // seen among the deleted, among the created
  for (const Candidate& one : deleted_) {
    sizes[content_size(one.side)].first = true;
  }
  for (const Candidate& one : created_) {
    sizes[content_size(one.side)].second = true;
  }
  const auto without_partner = [&](const Candidate& one) {
    const auto [deleted, created] = sizes.at(content_size(one.side));
    return !deleted || !created;
  };
  // Those that are alone with their size go to the end, out of the way.
  const auto keys = [&](Candidates& all) {
    const auto end = std::stable_partition(
        all.begin(), all.end(), [&](const Candidate& one) { return !without_partner(one); });
    std::vector<Key> result(static_cast<std::size_t>(end - all.begin()));
    in_parallel(result.size(), kShareOfFiles, [&](std::size_t i) {
      const std::uint64_t size = content_size(all[i].side);
      const Hash128 hash = hash_content(all[i].side);
      result[i] = {size, hash.high, hash.low, base_name(all[i])};
    });
    return result;
  };
  std::vector<Key> deleted_keys = keys(deleted_);
  std::vector<Key> created_keys = keys(created_);
  pair_by_key(deleted_keys, created_keys);
  for (std::vector<Key>* all : {&deleted_keys, &created_keys}) {
    for (Key& key : *all) {
      std::get<std::string_view>(key) = {};
    }
  }
  pair_by_key(deleted_keys, created_keys);
}

struct Signed {
  Candidate* candidate = nullptr;
  std::uint64_t size = 0;
  Signature signature;
};

std::vector<Signed> sign(Candidates& all) {
  git::start_libgit2();
  std::vector<Signed> result(all.size());
  in_parallel(all.size(), kShareOfFiles, [&](std::size_t i) {
    Candidate& one = all[i];
    const std::string bytes = read_content(one.side, kMostSimilarBytes);
    git_hashsig* signature = nullptr;
    // "Smart whitespace", as git calls it: indentation and carriage returns do not count.
    const auto how = static_cast<git_hashsig_option_t>(GIT_HASHSIG_SMART_WHITESPACE |
                                                       GIT_HASHSIG_ALLOW_SMALL_FILES);
    git::check(git_hashsig_create(&signature, bytes.data(), bytes.size(), how), "compare files");
    result[i] = {&one, bytes.size(), Signature{signature}};
  });
  return result;
}

void Pairing::pair_similar(std::size_t most_pairs) {
  const auto out = [](const Candidate& one) {
    return one.paired || content_size(one.side) > kMostSimilarBytes;
  };
  deleted_.erase(std::remove_if(deleted_.begin(), deleted_.end(), out), deleted_.end());
  created_.erase(std::remove_if(created_.begin(), created_.end(), out), created_.end());
  if (deleted_.empty() || created_.empty() || deleted_.size() > most_pairs / created_.size()) {
    return;
  }
  const std::vector<Signed> sources = sign(deleted_);
  const std::vector<Signed> targets = sign(created_);
  struct Score {
    unsigned similarity;
    bool same_name;
    const Signed* from;
    const Signed* to;
  };
  std::vector<Score> scores;
  for (const Signed& to : targets) {
    for (const Signed& from : sources) {
      if (std::min(from.size, to.size) * 2 < std::max(from.size, to.size)) {
        continue;  // too unlike in size to share half of their lines
      }
      const int score = git_hashsig_compare(from.signature.get(), to.signature.get());
      git::check(score, "compare files");
      if (static_cast<unsigned>(score) >= kLeastSimilarity) {
        // 100 is kept for equal bytes.
        scores.push_back({std::min(99U, static_cast<unsigned>(score)),
                          base_name(*from.candidate) == base_name(*to.candidate), &from, &to});
      }
    }
  }
  std::stable_sort(scores.begin(), scores.end(), [](const Score& a, const Score& b) {
    return std::pair{a.similarity, a.same_name} > std::pair{b.similarity, b.same_name};
  });
  for (const Score& score : scores) {
    if (!score.from->candidate->paired && !score.to->candidate->paired) {
      pair(*score.from->candidate, *score.to->candidate, score.similarity);
    }
  }
}

}  // namespace

std::vector<Rename> find_renames(const std::vector<PatchFile>& files, const PatchOptions& options) {
  if (options.renames == Renames::Off) {
    return {};
  }
  Pairing pairing{find_candidates(files, options.max_text_bytes)};
  pairing.pair_equal();
  if (options.renames == Renames::Similar) {
    pairing.pair_similar(options.max_similar_pairs);
  }
  return pairing.take();
}

}  // namespace shadow::review
