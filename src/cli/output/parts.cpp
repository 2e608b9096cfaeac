// SPDX-License-Identifier: MIT
#include "cli/output/parts.hpp"

#include "shadow/error.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/part.hpp"
#include "cli/terminal/editor.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace shadow::cli {

namespace {

class Conversation {
 public:
  Conversation(const workspace::Parts& offers, PickFor what, std::string place, Context& context)
      : offers_{offers}, what_{what}, place_{std::move(place)}, context_{context} {}

  [[nodiscard]] std::vector<DecidedParts> ask_all() {
    std::vector<DecidedParts> decided;
    std::optional<workspace::Failure> left_out;
    Onward onward = Onward::NextOffer;
    for (at_ = 0; at_ < offers_.size() && onward != Onward::Quit; ++at_) {
      try {
        std::string text;
        DecidedParts one{at_, offers_.of(at_, text)};
        onward = ask_parts(offers_.at(at_), one.parts, text, what_, asker());
        decided.push_back(std::move(one));
      } catch (const workspace::Failure& failure) {
        if (failure.kind() != workspace::Kind::Stale) {
          throw;
        }
        left_out = failure;
        say_left_out();
      }
    }
    if (left_out && decided.empty()) {
      throw workspace::Failure{left_out->kind(), left_out->what(), ask_again(), left_out->paths()};
    }
    return decided;
  }

 private:
  // The answers about other files are not lost for one that was saved before its turn.
  void say_left_out() {
    context_.out.flush();
    const std::string path = relative_path(offers_.at(at_).item.change.path, place_);
    print_note(fmt::format("left out: {} (it changed meanwhile; {})", shadow::quoted(path),
                           ask_again(path)));
  }

  [[nodiscard]] std::string ask_again(const std::string& path = {}) const {
    return with_agent(
        fmt::format("'shadow {} -p{}{}' asks about it as it is now",
                    what_ == PickFor::Apply ? "apply" : "discard", path.empty() ? "" : " ",
                    path.empty() ? path : shell_quoted(path)),
        context_.agent_to_name());
  }

  [[nodiscard]] PartAsker asker() {
    PartAsker asker;
    asker.show = [this](const PartQuestion& question) { show(question); };
    asker.ask = [this](const PartQuestion& question) { return ask(part_prompt(what_, question)); };
    asker.ask_more = [this](const std::string& text) { return ask(text); };
    asker.say = [this](const std::string& line) { write(Paint::Red, line + "\n"); };
    asker.help = [this](const PartQuestion& question) {
      write(Paint::Red, part_help(what_, question));
    };
    asker.list = [this](const PartQuestion& question) {
      write(Paint::Plain, part_list(question.parts));
    };
    asker.edit = [this](const std::string& text) { return edit(text); };
    return asker;
  }

  // An agent's text must not steer the terminal on which its work is judged.
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

  void show(const PartQuestion& question) {
    const Part& part = question.parts[question.at];
    if (shown_ != at_) {
      shown_ = at_;
      show_change(question.offer.item, part.kind != PartKind::Hunk && question.parts.size() == 1);
      show_others(question.offer);
    }
    if (part.kind == PartKind::Hunk) {
      write_hunk(part.hunk,
                 [this](PatchPart kind, std::string_view line) { write(paint_of(kind), line); });
    }
  }

  void show_others(const OfferedChange& offer) {
    if (offer.item.standing == Standing::GitDir) {
      return;  // a new git directory is a mass of objects that nobody reads
    }
    for (const ReviewItem& item : offer.with) {
      show_change(item, item.standing == Standing::Normal);
    }
  }

  // The head of the change, and what git's patch says about its content if that is wanted. What no
  // patch says comes first: a hunk belongs to the head above it.
  void show_change(const ReviewItem& item, bool content) {
    const auto show_line = [&] {
      write(paint_of(item.change.kind), change_line(item, place_) + "\n");
    };
    const bool more = has_more_than_a_patch(item);
    if (more) {
      show_line();
    }
    bool head = true;
    PatchOptions options;
    options.renames = Renames::Off;
    bool any = false;
    offers_.write_patch(at_, item, options, [&](PatchPart kind, std::string_view line) {
      head = head && kind != PatchPart::HunkHeader;
      if (head || content) {
        write(paint_of(kind), line);
        any = true;
      }
    });
    if (!any && !more) {
      show_line();
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

  const workspace::Parts& offers_;
  PickFor what_;
  std::string place_;
  Context& context_;
  std::size_t at_ = 0;
  std::optional<std::size_t> shown_;  // the offer whose head was
};

}  // namespace

void require_text(const Context& context) {
  if (context.global.json) {
    throw Error{"cannot ask hunk by hunk in JSON", "leave --json or -p out"};
  }
}

std::vector<DecidedParts> ask_about(const workspace::Parts& offers, PickFor what,
                                    const std::string& place, Context& context) {
  std::vector<DecidedParts> decided = Conversation{offers, what, place, context}.ask_all();
  context.out.flush();  // what is said next goes to stderr
  return decided;
}

}  // namespace shadow::cli
