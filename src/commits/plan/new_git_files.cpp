// SPDX-License-Identifier: MIT
#include "commits/plan/new_git_files.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "git/commits/index_edit.hpp"
#include "sys/files/file.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace shadow::commits {

namespace {

constexpr const char* kUnreadable = "its branches cannot be read";

// A replacement (refs/replace) makes every commit another one, and only these kinds of refs are
// shown to anybody.
bool is_known_kind(std::string_view name) {
  return name.starts_with(git::kHeads) || name.starts_with(git::kTags) ||
         name.starts_with("refs/remotes/") || name == "refs/stash";
}

// The one form of a ref's file; nullopt when it is no ref.
std::optional<std::string> ref_anew(std::string_view text) {
  constexpr std::string_view kSymbolic = "ref:";
  text = trimmed(text);
  if (git::is_object_id(text)) {
    return std::string{text} + '\n';
  }
  if (!text.starts_with(kSymbolic)) {
    return std::nullopt;
  }
  const std::string target{trimmed(text.substr(kSymbolic.size()))};
  return git::is_ref_name(target) && is_known_kind(target) ? std::optional{"ref: " + target + '\n'}
                                                           : std::nullopt;
}

// git looks a name up by halves where the file says that it is sorted: without a header it does
// not, and no name stands in it twice.
std::string packed_anew(std::string_view text, std::string& fault) {
  std::map<std::string, std::string> refs;
  for (const std::string& line : split(std::string{text}, '\n')) {
    if (line.empty() || line[0] == '#' || line[0] == '^') {
      continue;
    }
    const std::string id = line.substr(0, git::kHexId);
    const std::string name = line.size() > git::kHexId ? line.substr(git::kHexId + 1) : "";
    if (!is_known_kind(name)) {
      fault = "it has refs that are neither branches nor tags";
    } else if (!git::is_object_id(id) || !refs.emplace(name, id).second) {
      fault = kUnreadable;
    }
  }
  std::string anew;
  for (const auto& [name, id] : refs) {
    anew.append(id).append(1, ' ').append(name).append(1, '\n');
  }
  return anew;
}

std::string shallow_anew(std::string_view text, std::string& fault) {
  std::string anew;
  for (const std::string& line : split(std::string{text}, '\n')) {
    if (git::is_object_id(line)) {
      anew.append(line).append(1, '\n');
    } else if (!line.empty()) {
      fault = "its list of a shallow history cannot be read";
    }
  }
  return anew;
}

}  // namespace

std::map<std::string, CheckedOut> checked_out(const CommitJudge& judge, const git::Refs& refs) {
  std::map<std::string, CheckedOut> entries;
  const git::CommitChanges* head = judge.changes_of(refs.detached ? "HEAD" : refs.head_ref);
  for (const git::CommitChange& change :
       head == nullptr ? std::vector<git::CommitChange>{} : head->changes) {
    if (change.net && change.tip_mode != 0) {
      entries.emplace(change.row.path, CheckedOut{change.tip_mode, change.tip_id});
    }
  }
  return entries;
}

std::string write_refs_anew(std::map<std::string, std::string>& texts, const std::string& prefix,
                            const git::Refs& refs) {
  std::string fault;
  for (auto& [path, text] : texts) {
    const std::string_view name = std::string_view{path}.substr(prefix.size());
    if (name == "HEAD") {
      fault = refs.detached || git::is_ref_name(refs.head_ref) ? fault : kUnreadable;
      text = (refs.detached ? refs.head : "ref: " + refs.head_ref) + '\n';
    } else if (name == "packed-refs") {
      text = packed_anew(text, fault);
    } else if (name == "shallow") {
      text = shallow_anew(text, fault);
    } else if (name.starts_with("refs/")) {
      auto anew = ref_anew(text);
      fault = anew ? fault : kUnreadable;
      text = anew ? *std::move(anew) : std::string{};
    }
  }
  return fault;
}

std::string index_of(const std::map<std::string, CheckedOut>& entries, const std::string& file) {
  std::vector<git::TreeDifference> rows;
  rows.reserve(entries.size());
  for (const auto& [path, entry] : entries) {
    rows.push_back({path, 0, "", entry.mode, entry.id});
  }
  const git::IndexEdit edit = git::edit_index(file, rows, {});
  if (!edit.ok()) {
    throw Error{"its commit has names that no index takes"};
  }
  const sys::Fd index = sys::open_path(file, O_RDONLY);
  return sys::read_all(index.get());
}

}  // namespace shadow::commits
