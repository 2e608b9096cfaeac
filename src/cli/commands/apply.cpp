// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/parts.hpp"
#include "cli/patch_output.hpp"
#include "cli/question.hpp"
#include "cli/render/promotion.hpp"
#include "cli/terminal.hpp"
#include "session/pick_plan.hpp"
#include "session/plan_patch.hpp"
#include "session/promotion.hpp"

#include <fmt/format.h>

namespace shadow::cli {

namespace {

ApplyChoice choice_of(const ApplyOptions& options, const Project& project) {
  ApplyChoice choice;
  choice.selection = Selection{options.paths, project};
  choice.on_conflict = options.on_conflict;
  choice.ignored = options.ignored;
  choice.allow_sensitive = options.allow_sensitive;
  choice.skip_sensitive = options.skip_sensitive;
  for (const std::string& path : options.sensitive_paths) {
    choice.sensitive_paths.push_back(project_path(path, project));
  }
  return choice;
}

// With -p: also how many changes were asked about.
struct Planned {
  Promotion promotion;
  std::size_t offered = 0;
};

Planned plan(const ApplyOptions& options, const ReviewSession& session, Context& context) {
  const ApplyChoice choice = choice_of(options, session.project);
  if (!options.patch) {
    return {plan_promotion(session, choice), 0};
  }
  Planned planned;
  planned.promotion = plan_picked(session, choice, [&](const std::vector<Offer>& offers) {
    planned.offered = offers.size();
    return ask_parts_of(session, offers, PickFor::Apply, context);
  });
  return planned;
}

// What is in conflict or blocked is never written, and then nothing is.
bool can_be_written(const Promotion& promotion) {
  return promotion.chosen.conflicts.empty() && promotion.chosen.blocked.empty();
}

void print_plan(const Promotion& promotion, const ReviewSession& session, bool diff,
                Context& context) {
  PatchOptions patch;
  patch.binary = true;
  const std::vector<PatchFile> files = diff && can_be_written(promotion)
                                           ? plan_patch(session, promotion.plan)
                                           : std::vector<PatchFile>{};
  if (context.global.json) {
    Json record = promotion_json(promotion, nullptr);
    if (diff) {
      std::string text;
      write_patch(files, patch, [&text](PatchPart, std::string_view piece) { text += piece; });
      set_bytes(record, "patch", text);
    }
    context.print(record);
  } else if (diff) {
    print_patch(files, patch, context.color, context.out);
  } else {
    context.out.write(promotion_text(promotion, context.color));
  }
  context.out.flush();
}

}  // namespace

ExitCode apply(const ApplyOptions& options, Context& context) {
  if (options.patch) {
    require_text(context);
  }
  const ReviewSession session = context.open();
  const auto [promotion, offered] = plan(options, session, context);
  if (options.dry_run) {
    print_plan(promotion, session, options.diff, context);
    check_promotion(promotion);
    return ExitCode::Ok;
  }
  check_promotion(promotion);
  const std::size_t count = promotion.plan.steps.size();
  if (count == 0 && offered > 0) {
    print_note("nothing was written");
    return ExitCode::No;
  }
  if (count > 0 && !options.patch && !options.yes && !context.global.json && can_ask()) {
    context.out.write(promotion_text(promotion, context.color));
    context.out.flush();
    if (!confirmed(fmt::format("Write this to {}?", session.project.root))) {
      print_note("nothing was written");
      return ExitCode::No;
    }
  }
  ApplyResult result;
  if (count > 0) {
    result = promote(session, promotion, options.keep_mtime);
  }
  if (!result.unfinished.empty()) {
    print_note(result.unfinished);
  }
  if (context.global.json) {
    context.print(promotion_json(promotion, &result));
  } else {
    context.out.write(promoted_text(promotion, result));
  }
  return ExitCode::Ok;
}

}  // namespace shadow::cli
