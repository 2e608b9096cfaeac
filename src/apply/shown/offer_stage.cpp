// SPDX-License-Identifier: MIT
#include "apply/shown/offer_stage.hpp"

#include "shadow/error.hpp"

#include "apply/promotion/judged.hpp"
#include "apply/shown/plan_patch.hpp"
#include "base/text.hpp"
#include "changes/patch_files.hpp"
#include "changes/rights/attributes.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/stable_read.hpp"
#include "review/content.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/files/quiet_open.hpp"
#include "sys/files/same_content.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::apply {

namespace {

sys::Fd open_reviewed(int root, const std::string& path, const Entry& reviewed) {
  sys::Fd entry = sys::open_beneath(root, path, O_PATH);
  if (!same_state(overlay::look_fd(entry.get()), reviewed)) {
    overlay::throw_changed_meanwhile("cannot read", path);
  }
  return entry;
}

// A nameless copy, as whole as the stamps of the file, or a second look, can tell.
sys::Fd nameless_copy(const session::ReviewSession& session, int from, const Step& step) {
  constexpr int kMostTries = 3;
  for (int tries = 0; tries < kMostTries; ++tries) {
    sys::Fd copy = sys::try_open_at(session.dir.fd(), ".", O_RDWR | O_TMPFILE, S_IRUSR | S_IWUSR);
    if (!copy && (errno == EMFILE || errno == ENFILE)) {
      throw Error{"cannot offer so many large files at once",
                  "name some of them: 'shadow apply -p PATH'"};
    }
    if (!copy) {
      throw_errno("copy " + quoted(step.path));
    }
    if (!same_state(overlay::look_fd(from), step.after)) {
      break;
    }
    sys::copy_contents(from, copy.get());
    const bool settled = !overlay::is_young(step.after) || sys::same_content(from, copy.get());
    if (settled && same_state(overlay::look_fd(from), step.after)) {
      return copy;
    }
  }
  overlay::throw_changed_meanwhile("cannot read", step.path);
}

}  // namespace

Xattrs attributes_in(const session::ReviewSession& session, const Change& change, bool of_session) {
  const bool replaces = change.before.kind == EntryKind::File;
  const sys::Fd real =
      replaces ? open_reviewed(session.lower.get(), change.path, change.before) : sys::Fd{};
  const sys::Fd mine = open_reviewed(session.upper.get(), change.path, change.after);
  return of_session ? changes::arriving_attributes(mine.get(), replaces ? real.get() : -1)
                    : changes::arriving_attributes(real.get(), -1);
}

OfferStage::OfferStage(const session::ReviewSession& session, const ApplyPlan& plan,
                       const std::vector<hunks::Offer>& offers) {
  for (PatchFile& file : plan_patch(session, plan)) {
    files_.emplace(file.path, std::move(file));
  }
  std::map<std::string, const Step*> steps;
  for (const Step& step : plan.steps) {
    steps.insert_or_assign(step.path, &step);  // of two the one that brings something
  }
  for (const hunks::Offer& offer : offers) {
    std::vector<const ReviewItem*> items{&offer.item};
    for (const ReviewItem& item : offer.with) {
      items.push_back(&item);
    }
    for (const ReviewItem* item : items) {
      const auto step = steps.find(item->change.path);
      if (step != steps.end() && item->standing != Standing::GitDir) {
        hold(session, *item, *step->second);
      }
    }
  }
}

void OfferStage::hold(const session::ReviewSession& session, const ReviewItem& item,
                      const Step& step) {
  const auto file = files_.find(step.path);
  if (file == files_.end() || !changes::has_rights(item.change.after)) {
    return;
  }
  if (!step.xattrs) {
    // A directory in which a run makes files is another one each time, by its times.
    Xattrs own = item.change.after.kind == EntryKind::File
                     ? attributes_in(session, item.change, true)
                     : changes::attributes_after(session, step.path, step.before.kind);
    const Xattrs& held = attributes_.emplace(step.path, std::move(own)).first->second;
    PatchFile& shown = file->second;
    shown.attributes_changed = shown.attributes_changed || held != shown.attributes;
    shown.attributes = held;
  }
  if (writes_a_file(step) && !step.bytes) {
    copy(session, step, file->second);
  }
}

void OfferStage::copy(const session::ReviewSession& session, const Step& step, PatchFile& file) {
  const sys::Fd from = sys::open_quietly(session.upper.get(), step.path, O_RDONLY | O_NONBLOCK);
  file.after_content = {};
  if (step.action == Action::Write && held_.takes_into_memory(step.after.size)) {
    file.after_content.bytes =
        overlay::read_stable(from.get(), step.after, overlay::HeldCopies::kSmall);
    if (!file.after_content.bytes) {
      overlay::throw_changed_meanwhile("cannot read", step.path);
    }
  } else {
    file.after_content.fd = held_.keep_open(nameless_copy(session, from.get(), step));
  }
  file.after.ino = 0;  // the bytes are not those of the session's file any more
}

const Xattrs* OfferStage::attributes_of(const std::string& path) const {
  const auto found = attributes_.find(path);
  return found == attributes_.end() ? nullptr : &found->second;
}

bool OfferStage::same_copies(const std::string& a, const std::string& b) const {
  const auto one = files_.find(a);
  const auto other = files_.find(b);
  return one == files_.end() || other == files_.end() ||
         review::same_content(review::after_of(one->second), review::after_of(other->second));
}

void OfferStage::put_into(Step& step) const {
  if (const Xattrs* attributes = attributes_of(step.path);
      attributes != nullptr && !step.xattrs && step.after.exists()) {
    step.xattrs = *attributes;
  }
  const auto file = files_.find(step.path);
  if (file == files_.end() || !writes_a_file(step) || step.bytes) {
    return;
  }
  const Content& content = file->second.after_content;
  if (content.fd < 0 && !content.bytes) {
    return;
  }
  step.bytes = content.bytes;
  step.source_fd = content.fd;
  step.after.ino = 0;
  step.after.size = review::content_size(review::after_of(file->second));
  // One name may have been copied before a run wrote to the file, and the other after that.
  if (step.action == Action::HardLink && (step.bytes || !same_copies(step.path, step.link_to))) {
    step.action = Action::Write;
    step.link_to.clear();
  }
}

}  // namespace shadow::apply
