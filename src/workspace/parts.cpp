// SPDX-License-Identifier: MIT
// Parts of changes that a person picks from: to be applied, or dropped.

#include "shadow/patch.hpp"
#include "shadow/workspace.hpp"

#include "apply/choice/unmet.hpp"
#include "apply/pick_plan.hpp"
#include "discard/discard.hpp"
#include "hunks/pick.hpp"
#include "review/hunks.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/paths.hpp"
#include "workspace/call/sink.hpp"
#include "workspace/plan.hpp"

#include <utility>

namespace shadow {

struct PartsHandle {
  std::shared_ptr<const ReviewHandle> of;
  PickFor what = PickFor::Discard;
  bool keep_mtime = false;
  apply::PartsBasis basis{};  // of Apply
  std::vector<hunks::Offer> to_discard{};

  [[nodiscard]] const std::vector<hunks::Offer>& offers() const {
    return what == PickFor::Apply ? basis.offers : to_discard;
  }
  [[nodiscard]] Shown shown() const {
    return what == PickFor::Apply ? Shown::Written : Shown::Session;
  }
};

namespace {

std::vector<hunks::Pick> picks_of(const PartsHandle& parts,
                                  const std::vector<DecidedParts>& decided) {
  std::vector<hunks::Pick> picks;
  picks.reserve(decided.size());
  for (const DecidedParts& one : decided) {
    picks.push_back({parts.offers().at(one.offer), one.parts});
  }
  return picks;
}

}  // namespace

std::optional<Hunk> edited_hunk(const Hunk& hunk, std::string_view edited, PickFor what,
                                std::string_view text) {
  return as_call(
      [&] {
        const bool apply = what == PickFor::Apply;
        auto result = review::edit_hunk(
            hunk, edited, apply ? review::EditedSide::Before : review::EditedSide::After);
        if (result) {
          (void)review::apply_hunks(
              text, {apply ? *result : review::reversed(*result)});  // throws if it cannot be
        }
        return result;
      },
      workspace::Kind::Invalid);
}

}  // namespace shadow

namespace shadow::workspace {

Parts::Parts(std::shared_ptr<const PartsHandle> handle) : handle_{std::move(handle)} {
}

std::size_t Parts::size() const noexcept {
  return handle_->offers().size();
}

const OfferedChange& Parts::at(std::size_t offer) const {
  return as_call([&]() -> const OfferedChange& { return handle_->offers().at(offer); });
}

std::vector<Part> Parts::of(std::size_t offer, std::string& text) const {
  return as_call([&] {
    hunks::Texts texts;
    std::vector<Part> parts =
        hunks::parts_of(handle_->of->session, handle_->offers().at(offer), handle_->shown(), texts);
    text = std::move(handle_->what == PickFor::Apply ? texts.before : texts.after);
    return parts;
  });
}

void Parts::write_patch(std::size_t offer, const ReviewItem& item, const PatchOptions& options,
                        const PatchSink& sink) const {
  as_call([&] {
    shadow::write_patch(
        hunks::files_of(handle_->of->session, handle_->offers().at(offer), item, handle_->shown()),
        options, passing(sink));
  });
}

Plan ApplyParts::plan(const std::vector<DecidedParts>& decided) const {
  return as_call([&] {
    auto plan = std::make_shared<PlanHandle>(PlanHandle{
        handle().of,
        apply::plan_picked(handle().of->session, handle().basis, picks_of(handle(), decided))});
    plan->keep_mtime = handle().keep_mtime;
    plan->describe();
    return Plan{std::move(plan)};
  });
}

void DiscardParts::discard(const std::vector<DecidedParts>& decided) const {
  as_call([&] { discard::discard_picked(handle().of->session, picks_of(handle(), decided)); });
}

ApplyParts Review::parts_to_apply(const ApplyOptions& options) const {
  return as_call([&] {
    report_stage(*handle_->state, Stage::Reading);
    const session::ReviewSession& session = handle_->session;
    const apply::ApplyChoice choice = choice_of(options, session);
    apply::require_met(session, choice, apply::MetBy::AnyChange);
    return ApplyParts{std::make_shared<const PartsHandle>(PartsHandle{
        handle_, PickFor::Apply, options.keep_mtime, apply::offer_parts(session, choice)})};
  });
}

DiscardParts Review::parts_to_discard(const Paths& paths) const {
  return as_call([&] {
    report_stage(*handle_->state, Stage::Reading);
    const session::Selection selection = selection_of(paths, handle_->session.project);
    const ReviewSet set = discard::review_to_discard(handle_->session, selection);
    PartsHandle parts{handle_};
    parts.to_discard = discard::discard_offers(discard::selected_of(set, selection));
    return DiscardParts{std::make_shared<const PartsHandle>(std::move(parts))};
  });
}

}  // namespace shadow::workspace
