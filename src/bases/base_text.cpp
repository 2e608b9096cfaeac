// SPDX-License-Identifier: MIT
#include "bases/base_text.hpp"

#include "base/hash.hpp"
#include "bases/capture.hpp"
#include "session/git_dir.hpp"
#include "store/bases.hpp"
#include "store/blobs.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace shadow {

std::vector<std::string> keep_objects(const ReviewSession& session,
                                      const std::vector<git::WantedBlob>& wanted) {
  std::vector<std::string> names(wanted.size());
  const auto git = wanted.empty() ? std::nullopt : real_git_dir(session.project.root);
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

void fetch_base_texts(const ReviewSession& session) {
  std::vector<std::pair<std::string, store::BaseRow>> rows;
  std::vector<git::WantedBlob> wanted;
  for (auto& [path, row] : store::unsure_bases(*session.db, session.row.id)) {
    if (row.certain && !row.git_id.empty() && row.entry.size <= BaseCapture::kMostBytesOfAFile) {
      wanted.push_back({row.git_id, row.entry.size});
      rows.emplace_back(path, std::move(row));
    }
  }
  if (rows.empty()) {
    return;
  }
  const std::vector<std::string> names = keep_objects(session, wanted);
  store::Transaction transaction{*session.db};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& [path, row] = rows[i];
    const auto now = store::find_base(*session.db, session.row.id, path);
    if (!names[i].empty() && now && now->git_id == row.git_id) {
      row.hash = names[i];
      row.stored = true;
      row.git_id.clear();
      store::put_base(*session.db, session.row.id, path, row);
    }
  }
  transaction.commit();
}

}  // namespace shadow
