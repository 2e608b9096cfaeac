// SPDX-License-Identifier: MIT
#include "bases/base_text.hpp"

#include "base/hash.hpp"
#include "bases/capture.hpp"
#include "git/git_objects.hpp"
#include "session/git_dir.hpp"
#include "store/bases.hpp"
#include "store/blobs.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace shadow {

void fetch_base_texts(const ReviewSession& session) {
  std::vector<std::pair<std::string, store::BaseRow>> rows;
  std::vector<git::WantedBlob> wanted;
  for (auto& [path, row] : store::unsure_bases(*session.db, session.row.id)) {
    if (row.certain && !row.git_id.empty() && row.entry.size <= BaseCapture::kMostBytesOfAFile) {
      wanted.push_back({row.git_id, row.entry.size});
      rows.emplace_back(path, std::move(row));
    }
  }
  const auto git = wanted.empty() ? std::nullopt : real_git_dir(session.project.root);
  if (!git) {
    return;
  }
  const auto texts = git::read_blobs(git->common + "/objects", wanted);
  store::Blobs blobs{session.state.path()};
  store::Transaction transaction{*session.db};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& [path, row] = rows[i];
    const std::string blob = texts[i] ? blobs.put_bytes(*texts[i]) : std::string{};
    const auto now = store::find_base(*session.db, session.row.id, path);
    // A name with a suffix means another content of the same hash: then there is no base text.
    if (hash_from_hex(blob) && now && now->git_id == row.git_id) {
      row.hash = blob;
      row.stored = true;
      row.git_id.clear();
      store::put_base(*session.db, session.row.id, path, row);
    }
  }
  transaction.commit();
}

}  // namespace shadow
