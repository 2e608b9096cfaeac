// SPDX-License-Identifier: MIT
#include "cli/output/parts.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "changes/patch_files.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/part.hpp"
#include "cli/terminal/editor.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"
#include "session/project/place.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace shadow::cli {

namespace {

class Conversation {
 public:
  Conversation(const session::ReviewSession& session, hunks::PickFor what, Context& context)
      : session_{session}, what_{what}, context_{context} {}

  [[nodiscard]] hunks::PartAsker asker() {
    hunks::PartAsker asker;
    asker.show = [this](const hunks::PartQuestion& question) { show(question); };
    asker.ask = [this](const hunks::PartQuestion& question) {
      return ask(part_prompt(what_, question));
    };
    asker.ask_more = [this](const std::string& text) { return ask(text); };
    asker.say = [this](const std::string& line) { write(Paint::Red, line + "\n"); };
    asker.help = [this](const hunks::PartQuestion& question) {
      write(Paint::Red, part_help(what_, question));
    };
    asker.list = [this](const hunks::PartQuestion& question) {
      write(Paint::Plain, part_list(question.parts));
    };
    asker.edit = [this](const std::string& text) { return edit(text); };
    return asker;
  }

 private:
  // What an agent wrote must not steer the terminal on which its work is judged.
  void write(Paint paint, std::string_view text) {
    context_.out.write(painted(paint, printable_text(text), context_.color));
  }

  std::optional<std::string> ask(const std::string& text) {
    write(Paint::Bold, text);
    context_.out.write(" ");
    context_.out.flush();
    auto answer = read_line();
    if (!stdin_is_terminal() || !answer) {
      // Nobody's typing shows there, and ends the line.
      write(Paint::Plain, answer.value_or("") + "\n");
    }
    return answer;
  }

  void show(const hunks::PartQuestion& question) {
    const hunks::Part& part = question.parts[question.at];
    if (&question.offer != shown_) {
      shown_ = &question.offer;
      show_change(question.offer, question.offer.item,
                  part.kind != hunks::PartKind::Hunk && question.parts.size() == 1);
      show_others(question.offer);
    }
    if (part.kind == hunks::PartKind::Hunk) {
      write_hunk(part.hunk,
                 [this](PatchPart kind, std::string_view line) { write(paint_of(kind), line); });
    }
  }

  void show_others(const hunks::Offer& offer) {
    if (offer.item.standing == Standing::GitDir) {
      return;  // a new git directory is a mass of objects that nobody reads
    }
    for (const ReviewItem& item : offer.with) {
      show_change(offer, item, item.standing == Standing::Normal);
    }
  }

  // The head of the change, and what git's patch says about its content if that is wanted.
  void show_change(const hunks::Offer& offer, const ReviewItem& item, bool content) {
    const std::vector<PatchFile> files =
        hunks::files_of(session_, offer, item, hunks::shown_by(what_));
    bool head = true;
    PatchOptions options;
    options.renames = Renames::Off;
    bool any = false;
    write_patch(files, options, [&](PatchPart kind, std::string_view line) {
      head = head && kind != PatchPart::HunkHeader;
      if (head || content) {
        write(paint_of(kind), line);
        any = true;
      }
    });
    if (!any || has_more_than_a_patch(item)) {
      write(paint_of(item.change.kind),
            change_line(item, session::place_in(session_.project)) + "\n");
    }
  }

  std::optional<std::string> edit(const std::string& text) {
    context_.out.flush();
    try {
      return edit_text(edit_guide_above() + text + edit_guide_below(what_));
    } catch (const Error& error) {
      write(Paint::Red, std::string{error.what()} + "\n");
      return std::nullopt;
    }
  }

  const session::ReviewSession& session_;
  hunks::PickFor what_;
  Context& context_;
  const hunks::Offer* shown_ = nullptr;
};

}  // namespace

void require_text(const Context& context) {
  if (context.global.json) {
    throw Error{"cannot ask hunk by hunk in JSON", "leave --json or -p out"};
  }
}

std::vector<hunks::Pick> ask_parts_of(const session::ReviewSession& session,
                                      const std::vector<hunks::Offer>& offers, hunks::PickFor what,
                                      Context& context) {
  Conversation conversation{session, what, context};
  std::vector<hunks::Pick> picks = hunks::ask_all(session, offers, what, conversation.asker());
  context.out.flush();  // what is said next goes to stderr
  return picks;
}

}  // namespace shadow::cli
