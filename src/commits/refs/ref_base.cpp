// SPDX-License-Identifier: MIT
#include "commits/refs/ref_base.hpp"

#include "base/git_names.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "bases/capture/capture.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/file.hpp"

#include <vector>

namespace shadow::commits {

namespace {

// The value before the first line that only the session's log has: those before are a copy of the
// project's.
std::optional<std::string> base_in_log(const SessionGit& git, const std::string& ref) {
  const std::string name = "logs/" + ref;
  const auto lines_of = [&name](const git::GitDirReader& reader) {
    const auto text = reader.read(name);
    return text ? split(*text, '\n') : std::vector<std::string>{};
  };
  const std::vector<std::string> own = lines_of(git.dirs.view);
  const std::vector<std::string> real = lines_of(git::disk_reader(git.real.dir));
  std::size_t at = 0;
  while (at < own.size() && at < real.size() && own[at] == real[at]) {
    ++at;
  }
  if (at >= own.size() || own[at].empty()) {
    return std::nullopt;
  }
  const std::string id = own[at].substr(0, git::kHexId);
  const bool none = id == std::string(git::kHexId, '0');
  return git::is_object_id(id) ? std::optional{none ? std::string{} : id} : std::nullopt;
}

}  // namespace

std::string base_path(const std::string& ref) {
  return ".git/" + ref;
}

std::optional<std::string> base_of_ref(const session::ReviewSession& session, const SessionGit& git,
                                       const std::string& ref) {
  const auto base = store::find_base(*session.db, session.row.id, base_path(ref));
  if (!base || !base->content().is_stored()) {
    return base_in_log(git, ref);
  }
  const store::Blobs blobs{session.state.path()};
  const sys::Fd text = blobs.open(base->content().hash());
  constexpr std::uint64_t kMostRef = 4096;
  const std::string id = text ? sys::read_all(text.get(), kMostRef).substr(0, git::kHexId) : "";
  return git::is_object_id(id) ? std::optional{id} : base_in_log(git, ref);
}

void set_base_of_ref(const session::ReviewSession& session, const SessionGit& git,
                     const std::string& ref, const std::string& id) {
  store::Blobs blobs{session.state.path()};
  const Entry now = overlay::look_beneath(git.lower.get(), git.prefix + ref);
  const auto content = BaseContent::stored(blobs.put_bytes(id + "\n"));
  store::put_base(*session.db, session.row.id, base_path(ref),
                  Base::known(now, BaseSource::Apply, content));
}

}  // namespace shadow::commits
