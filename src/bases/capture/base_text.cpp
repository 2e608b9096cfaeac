// SPDX-License-Identifier: MIT
#include "bases/capture/base_text.hpp"

#include "base/hash.hpp"
#include "bases/capture/capture.hpp"
#include "session/project/git_dir.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace shadow::bases {

std::vector<std::string> keep_objects(const session::ReviewSession& session,
                                      const std::vector<git::WantedBlob>& wanted) {
  std::vector<std::string> names(wanted.size());
  const auto git = wanted.empty() ? std::nullopt : session::real_git_dir(session.project.root);
  if (!git) {
    return names;
  }
  const auto texts = git::read_blobs(git->common + "/objects", wanted);
  store::Blobs blobs{session.state.path()};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = texts[i] ? blobs.put_bytes(*texts[i]) : std::string{};
    // A name with a suffix means another content of the same hash: then there is no base text.
    names[i] = hash_from_hex(name) ? name : std::string{};
  }
  return names;
}

void fetch_base_texts(const session::ReviewSession& session) {
  std::vector<std::pair<std::string, Base>> bases;
  std::vector<git::WantedBlob> wanted;
  for (auto& [path, base] : store::unsure_bases(*session.db, session.row.id)) {
    const std::string& object = base.content().object_id();
    if (!object.empty() && base.entry().size <= BaseCapture::kMostBytesOfAFile) {
      wanted.push_back({object, base.entry().size});
      bases.emplace_back(path, std::move(base));
    }
  }
  if (bases.empty()) {
    return;
  }
  const std::vector<std::string> names = keep_objects(session, wanted);
  store::Transaction transaction{*session.db};
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const auto& [path, base] = bases[i];
    const auto now = store::find_base(*session.db, session.row.id, path);
    if (!names[i].empty() && now && now->content().object_id() == base.content().object_id()) {
      store::put_base(*session.db, session.row.id, path, base.with(BaseContent::stored(names[i])));
    }
  }
  transaction.commit();
}

}  // namespace shadow::bases
