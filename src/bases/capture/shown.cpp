// SPDX-License-Identifier: MIT
#include "bases/capture/shown.hpp"

#include "store/contents/blobs.hpp"

#include <algorithm>
#include <utility>

namespace shadow::bases {

std::optional<Base> Shown::first(store::Database& db, const std::string& path) const {
  const std::vector<store::ShownVersion> all = find(db, path);
  if (all.empty() || all.back().base.is_absent()) {
    return std::nullopt;
  }
  const auto first =
      std::find_if(all.begin(), all.end(), [](const auto& one) { return !one.base.is_absent(); });
  return kept(db, path, *first);
}

std::optional<Base> Shown::last(store::Database& db, const std::string& path) const {
  const std::vector<store::ShownVersion> all = find(db, path);
  if (all.empty() || all.back().base.is_absent()) {
    return std::nullopt;
  }
  Base base = kept(db, path, all.back());
  return base.content().hash().empty() ? std::nullopt : std::optional{std::move(base)};
}

bool Shown::was_gone(store::Database& db, const std::string& path) const {
  const std::vector<store::ShownVersion> all = find(db, path);
  return !all.empty() && all.back().base.is_absent();
}

std::vector<store::ShownVersion> Shown::versions(store::Database& db,
                                                 const std::string& path) const {
  std::vector<store::ShownVersion> all = find(db, path);
  std::reverse(all.begin(), all.end());
  return all;
}

std::vector<store::ShownVersion> Shown::find(store::Database& db, const std::string& path) const {
  if (!any_) {
    any_ = store::shown_size(db, session_).rows > 0;
  }
  return *any_ ? store::shown_versions(db, session_, path) : std::vector<store::ShownVersion>{};
}

Base Shown::kept(store::Database& db, const std::string& path,
                 const store::ShownVersion& version) const {
  const auto text = store::shown_text(db, session_, path, version.noted_ns);
  return text ? version.base.with(BaseContent::stored(store::Blobs{state_.path()}.put_bytes(*text)))
              : version.base;
}

}  // namespace shadow::bases
