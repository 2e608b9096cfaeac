// SPDX-License-Identifier: MIT
#include "refresh/refresher.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "bases/capture/base_attributes.hpp"
#include "bases/capture/capture.hpp"
#include "bases/ledger/copies.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "bases/ledger/seen.hpp"
#include "changes/rights/attributes.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/arrival.hpp"
#include "overlay/write/prune.hpp"
#include "overlay/write/rewrite.hpp"
#include "refresh/adopt.hpp"
#include "refresh/emptied.hpp"
#include "refresh/input_checks.hpp"
#include "store/tables/pending_bases.hpp"
#include "store/tables/shown.hpp"
#include "sys/files/beneath.hpp"

#include <utility>

namespace shadow::refresh {

Refresher::Refresher(const session::ReviewSession& session, live::ViewEdit* edit)
    : session_{session},
      edit_{edit},
      merger_{session},
      blobs_{session.state.path()},
      stays_hidden_{bases::hidden_by_session(*session.db, session.dir, lower())} {
}

void Refresher::carry_out(const RefreshStep& step) {
  let_tick_pass(step.real);
  switch (step.kind) {
    case RefreshStep::Kind::Rewrite:
      rewrite(step);
      break;
    case RefreshStep::Kind::Adopt:
      adopt_directory(session_, edit_, step);
      break;
    case RefreshStep::Kind::Rebase:
      rebase(step);
      break;
    case RefreshStep::Kind::Drop:
      edit_ != nullptr ? follow_in_view(step) : take_out(step);
      break;
    case RefreshStep::Kind::Prune:
      edit_ != nullptr ? renew_base(step) : take_out(step);
      break;
  }
  SHADOW_FAIL_POINT("refresh-written");
}

void Refresher::take_out(const RefreshStep& step) {
  note(step, {}, base_of(step, BaseSource::Tree));
  if (step.kind == RefreshStep::Kind::Drop) {
    overlay::drop(upper(), lower(), step.path, stays_hidden_);
  } else {
    overlay::prune(upper(), lower(), {step.path}, {}, stays_hidden_);
  }
  removed_.insert(step.path);
}

// The view's file becomes the project's: then it is redundant, whatever its base. It goes once the
// session is idle.
void Refresher::follow_in_view(const RefreshStep& step) {
  const Base base = base_of(step, BaseSource::Apply);
  edit_->restore_reviewed(step.path, reviewed_entry(session_, step));
  require_same(overlay::look_beneath(lower(), step.base_path), step.real, step.base_path);
  store::Transaction transaction{*session_.db};
  store::put_base(*session_.db, session_.row.id, step.path, base);
  bases::note_copy(session_, step.path, edit_->copied());
  transaction.commit();
  removed_.insert(step.path);
}

// A redundant entry cannot be taken out through the view. It goes once the session is idle.
void Refresher::renew_base(const RefreshStep& step) {
  const Base base = base_of(step, BaseSource::Apply);
  store::Transaction transaction{*session_.db};
  store::put_base(*session_.db, session_.row.id, step.path, base);
  store::add_pending_prune(*session_.db, session_.row.id, step.path);
  transaction.commit();
}

bool Refresher::remove_emptied_directories(std::set<std::string> candidates) const {
  candidates.insert(removed_.begin(), removed_.end());
  return remove_emptied(session_, edit_, candidates);
}

void Refresher::note_within(const RefreshStep& step, const std::string& upper_hash,
                            Base base) const {
  store::add_pending_base(*session_.db, session_.row.id,
                          {step.base_path, step.path, upper_hash, std::move(base)});
  if (const auto known = bases::attributes_of_real(lower(), step.base_path, step.real)) {
    store::put_base_attributes(*session_.db, session_.row.id, step.base_path, step.real, *known);
  }
}

void Refresher::note(const RefreshStep& step, const std::string& upper_hash, Base base) const {
  store::Transaction transaction{*session_.db};
  note_within(step, upper_hash, std::move(base));
  transaction.commit();
  SHADOW_FAIL_POINT("refresh-noted");
}

// The real entry, with its text.
Base Refresher::base_of(const RefreshStep& step, BaseSource source) {
  if (step.real.kind != EntryKind::File || step.real.size > bases::BaseCapture::kMostBytesToHash) {
    require_same(overlay::look_beneath(lower(), step.base_path), step.real, step.base_path);
    return Base::known(step.real, source);
  }
  const sys::Fd file = sys::try_open_beneath(lower(), step.base_path, O_RDONLY | O_NONBLOCK);
  if (!file && errno == EACCES) {
    return Base::known(step.real, source);  // known by its times alone
  }
  require_same(file ? overlay::look_fd(file.get()) : Entry{}, step.real, step.base_path);
  BaseContent content = step.real.size <= bases::BaseCapture::kMostBytesOfAFile
                            ? BaseContent::stored(blobs_.put(file.get()))
                            : BaseContent::hashed(to_hex(store::hash_file(file.get())));
  require_same(overlay::look_fd(file.get()), step.real, step.base_path);
  return Base::known(step.real, source, std::move(content));
}

// A person who was shown the session's text counts as shown its merge with an edit of their own. A
// text that was not what they were shown before is not now.
void Refresher::carry_shown(const RefreshStep& step, std::string_view bytes,
                            std::uint32_t mode) const {
  auto row = store::find_shown(*session_.db, session_.row.id, step.path);
  if (!row) {
    return;
  }
  const Entry& before = step.sides.session;
  const Xattrs attributes = changes::attributes_after(session_, step.path, EntryKind::File);
  if (row->digest == overlay::arrival(before, merger_.session_text(step.sides), attributes)) {
    Entry after = before;
    after.mode = mode;
    row->digest = overlay::arrival(after, bytes, attributes);
    store::put_shown(*session_.db, session_.row.id, step.path, *row);
  }
}

void Refresher::rewrite(const RefreshStep& step) {
  const std::string bytes = merged_text(step);
  Base base = Base::known(step.real, BaseSource::Ledger,
                          BaseContent::stored(blobs_.put_bytes(merger_.project_text(step.sides))));
  const bool others = step.how.attributes == Side::Project;
  const sys::Fd attributes =
      sys::open_beneath(others ? lower() : upper(), others ? step.base_path : step.path, O_PATH);
  overlay::NewContent content;
  content.bytes = bytes;
  content.mode = (step.how.mode == Side::Project ? step.sides.project : step.sides.session).mode;
  content.attributes_of = attributes.get();
  store::Transaction transaction{*session_.db};
  note_within(step, to_hex(hash_bytes(bytes)), std::move(base));
  carry_shown(step, bytes, content.mode);
  transaction.commit();
  SHADOW_FAIL_POINT("refresh-noted");
  if (edit_ != nullptr) {
    edit_->write(step.path, content, step.sides.session);
  } else {
    overlay::rewrite({upper(), session_.dir.fd()}, step.path, content);
  }
}

std::string Refresher::merged_text(const RefreshStep& step) const {
  if (step.how.content != Side::Both) {
    return step.how.content == Side::Project ? merger_.project_text(step.sides)
                                             : merger_.session_text(step.sides);
  }
  const auto row = store::find_base(*session_.db, session_.row.id, step.base_path);
  const auto base = merger_.base_of(step.sides, row ? &*row : nullptr);
  auto merged = merger_.merge(step.sides, base ? &*base : nullptr, changes::BaseText::Kept);
  if (!merged || merged->result.outcome != review::MergeResult::Outcome::Clean) {
    throw StaleError{"cannot refresh " + quoted(step.path) + ": it changes all the time",
                     "try again"};
  }
  return std::move(merged->result.text);
}

// The session went on from what the project has: that is its base from now on.
void Refresher::rebase(const RefreshStep& step) {
  note(step, to_hex(hash_bytes(merger_.session_text(step.sides))),
       base_of(step, BaseSource::Ledger));
}

}  // namespace shadow::refresh
