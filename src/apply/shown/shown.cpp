// SPDX-License-Identifier: MIT
#include "apply/shown/shown.hpp"

#include "shadow/error.hpp"

#include "apply/shown/shown_refs.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"
#include "changes/dependents/item_range.hpp"
#include "changes/patch_files.hpp"
#include "changes/rights/attributes.hpp"
#include "overlay/read/arrival.hpp"
#include "promote/write/as_shown.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/quiet_open.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string_view>

#include <fcntl.h>

namespace shadow::apply {

namespace {

// A path that changes from or to a directory has two steps: true for the one that brings its new
// entry.
bool brings(const Step& step, const Change& change) {
  return step.after.exists() == change.after.exists();
}

Xattrs attributes_of(const session::ReviewSession& session, const Step& step) {
  if (step.xattrs || step.shown.empty() || !changes::has_rights(step.after)) {
    return step.xattrs.or_none();
  }
  return changes::attributes_after(session, step.path, step.before.kind);
}

// True if a patch, or the list beside it, shows the change. An ordinary new directory is shown by
// what is in it.
bool is_displayed(const Change& change) {
  const bool rights = change.kind == ChangeKind::Modified || change.beyond_umask != 0 ||
                      change.xattrs_changed || change.acl_changed;
  return changes::has_patch(change.before) || changes::has_patch(change.after) ||
         (rights && change.after.exists());
}

std::optional<Digest> content_of(const session::ReviewSession& session, const Step& step) {
  if (step.bytes) {
    return digest_bytes(*step.bytes);
  }
  const sys::Fd file = sys::try_open_quietly(session.upper.get(), step.path, O_RDONLY | O_NONBLOCK);
  return file ? promote::shown_digest(file.get()) : std::nullopt;
}

}  // namespace

ShownNotes::ShownNotes(const std::vector<PatchFile>& files) {
  for (const PatchFile& file : files) {
    files_.emplace(file.path, &file);
  }
}

PatchWritten ShownNotes::listener() {
  return [this](const std::string& path, const std::string* after) {
    if (const auto file = files_.find(path); file != files_.end()) {
      const PatchFile& shown = *file->second;
      shown_.insert_or_assign(
          path, after != nullptr ? overlay::arrival(shown.after, *after, shown.attributes)
                                 : overlay::arrival(shown.after, std::nullopt, shown.attributes));
    }
  };
}

void ShownNotes::whole() {
  for (const auto& [path, file] : files_) {
    const bool unread = !file->content_changed && file->before.kind == file->after.kind;
    if (unread || (file->after.exists() && !changes::has_patch(file->after))) {
      shown_.try_emplace(path, overlay::arrival(file->after, std::nullopt, file->attributes));
    }
  }
}

void ShownNotes::keep(const session::ReviewSession& session) {
  if (shown_.empty()) {
    return;
  }
  const std::int64_t now = sys::now_ns();
  store::Transaction transaction{*session.db};
  for (const auto& [path, digest] : shown_) {
    store::put_shown(*session.db, session.row.id, path, {digest, now});
  }
  transaction.commit();
}

Looked bind_to_shown(const session::ReviewSession& session, Promotion& promotion) {
  require_histories_as_shown(session, promotion.histories);
  const auto rows = store::all_shown(*session.db, session.row.id);
  const std::vector<ReviewItem>& taken = promotion.chosen.taken;
  Looked looked;
  for (const ReviewItem& item : taken) {
    if (item.standing != Standing::GitDir && is_displayed(item.change)) {
      ++looked.patches;
      looked.never += rows.count(item.change.path) == 0 ? 1U : 0U;
    }
  }
  for (Step& step : promotion.plan.steps) {
    const auto row = rows.find(step.path);
    const auto item = row == rows.end() ? std::nullopt : changes::find_item(taken, step.path);
    if (item && brings(step, taken[*item].change)) {
      step.shown = as_bytes(row->second.digest);
    }
  }
  return looked;
}

void require_as_shown(const session::ReviewSession& session, const Promotion& promotion) {
  std::vector<std::string> paths;
  for (const Step& step : promotion.plan.steps) {
    if (!promote::is_as_shown(step, session.lower.get(), attributes_of(session, step),
                              [&] { return content_of(session, step); })) {
      paths.push_back(step.path);
    }
  }
  if (!paths.empty()) {
    throw_unseen(session, promotion, paths);
  }
}

ShownCheck::ShownCheck(const session::ReviewSession& session, const Promotion& promotion)
    : session_{session}, promotion_{promotion} {
  for (const Step& step : promotion.plan.steps) {
    if (!step.shown.empty()) {
      steps_.emplace(step.path, &step);
    }
  }
}

bool ShownCheck::accepts(const std::string& path, const Entry& now,
                         const std::optional<Digest>& content) const {
  const auto found = steps_.find(path);
  if (found == steps_.end()) {
    return true;
  }
  // A merge was shown, which the session's own version went into.
  if (const auto merged = promotion_.merged.find(path); merged != promotion_.merged.end()) {
    return !merged->second || content == digest_bytes(*merged->second);
  }
  Step step = *found->second;
  step.after = now;
  return promote::is_as_shown(step, session_.lower.get(), attributes_of(session_, step),
                              [&] { return content; });
}

void throw_unseen(const session::ReviewSession& session, const Promotion& promotion,
                  const std::vector<std::string>& paths) {
  constexpr std::size_t kMostNamed = 20;
  const auto rows = store::all_shown(*session.db, session.row.id);
  std::map<std::string_view, std::int64_t> written;
  for (const ReviewItem& item : promotion.chosen.taken) {
    written.emplace(item.change.path, item.change.after.ctime_ns);
  }
  std::vector<std::string> named;
  for (std::size_t i = 0; i < paths.size() && i < kMostNamed; ++i) {
    const auto row = rows.find(paths[i]);
    const std::int64_t shown_ns = row == rows.end() ? 0 : row->second.shown_ns;
    const auto own = written.find(paths[i]);
    // The session's version may be what it was, and the project's another one: of a merge, or after
    // one that was shown.
    const char* what = promotion.merged.count(paths[i]) != 0 ? "not the merge that was shown at"
                       : own != written.end() && own->second < shown_ns
                           ? "not what was shown at"
                           : "changed after it was shown at";
    named.push_back(fmt::format("{} ({} {})", quoted(relative_path(paths[i], promotion.place)),
                                what, shown_ns == 0 ? "" : local_time(shown_ns)));
  }
  std::string text = join(named, ", ");
  if (paths.size() > kMostNamed) {
    text += fmt::format(" and {} more", paths.size() - kMostNamed);
  }
  std::string look = "shadow diff";
  if (paths.size() == 1) {
    look += ' ' + shell_quoted(relative_path(paths.front(), promotion.place));
  }
  throw UnseenError{
      fmt::format("cannot apply {}; nothing was written", text),
      fmt::format("'{}' shows what is there now; --unseen applies it all the same", look),
      ExitCode::Refused, paths};
}

ApplyResult execute_as_shown(const session::ReviewSession& session, const Promotion& promotion,
                             bool keep_mtime) {
  try {
    return execute_promotion(session, promotion, keep_mtime);
  } catch (const UnseenError& error) {
    throw_unseen(session, promotion, error.paths());
  }
}

}  // namespace shadow::apply
