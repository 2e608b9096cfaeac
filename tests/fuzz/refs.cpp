// SPDX-License-Identifier: MIT
// The refs of a git directory that a run may have written: HEAD, loose refs, packed-refs.

#include "base/git_names.hpp"
#include "fuzz/target.hpp"
#include "git/repository/git_refs.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using Files = std::map<std::string, std::string>;

std::vector<std::string> names_in(const Files& files, const std::string& directory) {
  std::string start = directory;
  if (!start.empty() && start.back() != '/') {
    start += '/';
  }
  std::vector<std::string> names;
  for (const auto& [path, text] : files) {
    if (path.compare(0, start.size(), start) == 0) {
      std::string name = path.substr(start.size());
      name.resize(std::min(name.find('/'), name.size()));
      if (!name.empty() && (names.empty() || names.back() != name)) {
        names.push_back(std::move(name));
      }
    }
  }
  return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes{fuzz::text_of(data, size)};
  Files files;
  files["HEAD"] = bytes.piece();
  files["refs/heads/main"] = bytes.piece();
  const std::string name{bytes.piece()};
  files["refs/heads/" + name] = bytes.piece();
  files["refs/remotes/origin/" + name] = bytes.piece();
  files["refs/tags/" + name] = bytes.piece();
  files["refs/stash"] = bytes.piece();
  files["packed-refs"] = bytes.rest();
  shadow::git::GitDirReader reader;
  reader.read = [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional{found->second};
  };
  reader.list = [&files](const std::string& path) { return names_in(files, path); };
  const shadow::git::Refs refs = shadow::git::read_refs(reader);
  const auto is_id = [](const std::string& id) {
    return id.empty() || shadow::git::is_object_id(id);
  };
  fuzz::require(is_id(refs.head), "HEAD is a commit or nothing");
  for (const auto& [ref, id] : refs.named) {
    fuzz::require(shadow::git::is_ref_name(ref), "a ref has a name that git takes");
    fuzz::require(is_id(id), "a ref is an object or broken");
  }
  for (const auto* others : {&refs.remotes, &refs.aside}) {
    for (const auto& [ref, id] : *others) {
      fuzz::require(shadow::git::is_object_id(id), "a remote's is a commit");
    }
  }
  return 0;
}
