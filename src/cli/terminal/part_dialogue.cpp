// SPDX-License-Identifier: MIT
#include "cli/terminal/part_dialogue.hpp"

#include "shadow/failure.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include <regex.h>

namespace shadow::cli {

namespace {

std::string text_of(const Hunk& hunk) {
  std::string text;
  write_hunk(hunk, [&text](PatchPart, std::string_view piece) { text += piece; });
  return text;
}

class Pattern {
 public:
  explicit Pattern(const std::string& text)
      : failure_{::regcomp(&regex_, text.c_str(), REG_EXTENDED | REG_NOSUB | REG_NEWLINE)} {}
  Pattern(const Pattern&) = delete;
  Pattern(Pattern&&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  Pattern& operator=(Pattern&&) = delete;
  ~Pattern() {
    if (failure_ == 0) {
      ::regfree(&regex_);
    }
  }

  // The fault of the pattern, or "".
  [[nodiscard]] std::string failure() const {
    if (failure_ == 0) {
      return {};
    }
    std::string text(::regerror(failure_, &regex_, nullptr, 0), '\0');
    text.resize(::regerror(failure_, &regex_, text.data(), text.size()) - 1);
    return text;
  }
  [[nodiscard]] bool matches(const std::string& text) const {
    return ::regexec(&regex_, text.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t regex_{};
  int failure_;
};

bool is_undecided(const Part& part) {
  return part.decision == Decision::Undecided;
}

class Dialogue {
 public:
  Dialogue(const OfferedChange& offer, std::vector<Part>& parts, std::string_view text,
           PickFor what, const PartAsker& asker)
      : offer_{offer}, parts_{parts}, text_{text}, what_{what}, asker_{asker} {}

  Onward run() {
    while (!quit_ && std::any_of(parts_.begin(), parts_.end(), is_undecided)) {
      const PartQuestion question{offer_, parts_, at_, keys()};
      if (!std::exchange(shown_, true)) {
        asker_.show(question);
        parts_[at_].seen = true;
      }
      const auto line = asker_.ask(question);
      if (!line) {
        quit_ = true;
      } else if (!line->empty()) {
        take_answer(*line, question);
      }
    }
    decide_rest(0, Decision::Refused);
    return quit_ ? Onward::Quit : Onward::NextOffer;
  }

 private:
  [[nodiscard]] bool is_hunk() const { return parts_[at_].kind == PartKind::Hunk; }

  // The nearest undecided part before or after this one.
  [[nodiscard]] std::optional<std::size_t> undecided_before() const {
    for (std::size_t i = at_; i-- > 0;) {
      if (is_undecided(parts_[i])) {
        return i;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> undecided_after() const {
    for (std::size_t i = at_ + 1; i < parts_.size(); ++i) {
      if (is_undecided(parts_[i])) {
        return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string keys() const {
    std::string keys = "ynqad";
    keys += undecided_before() ? "k" : "";
    keys += at_ > 0 ? "K" : "";
    keys += undecided_after() ? "j" : "";
    keys += at_ + 1 < parts_.size() ? "J" : "";
    keys += parts_.size() > 1 ? "g/" : "";
    if (is_hunk()) {
      keys += split_hunk(parts_[at_].hunk).size() > 1 ? "s" : "";
      keys += "e";
    }
    return keys + "?";
  }

  void take_answer(const std::string& line, const PartQuestion& question) {
    const bool capital = line[0] == 'J' || line[0] == 'K';
    const char key = line[0] >= 'A' && line[0] <= 'Z' && !capital
                         ? static_cast<char>(line[0] - 'A' + 'a')
                         : line[0];
    if (line.size() > 1 && key != 'g' && key != '/') {
      asker_.say(fmt::format("Only one letter is expected, got {}", quoted(line)));
      return;
    }
    if (question.keys.find(key) == std::string::npos) {
      asker_.say(why_not(key));
      return;
    }
    switch (key) {
      case 'y':
      case 'n':
        decide(key == 'y' ? Decision::Taken : Decision::Refused);
        break;
      case 'a':
      case 'd':
        parts_[at_].decision = Decision::Undecided;
        decide_rest(at_, key == 'a' ? Decision::Taken : Decision::Refused);
        to_undecided();
        break;
      case 'q':
        quit_ = true;
        break;
      case 's':
        split();
        break;
      case 'e':
        edit();
        break;
      case '?':
        asker_.help(question);
        break;
      default:
        move(key, line.substr(1), question);
    }
  }

  void move(char key, const std::string& argument, const PartQuestion& question) {
    switch (key) {
      case 'k':
        go_to(undecided_before().value_or(at_));
        break;
      case 'K':
        go_to(at_ - 1);
        break;
      case 'j':
        go_to(undecided_after().value_or(at_));
        break;
      case 'J':
        go_to(at_ + 1);
        break;
      case 'g':
        go_to_number(argument, question);
        break;
      default:
        search(argument);
    }
  }

  [[nodiscard]] static std::string why_not(char key) {
    switch (key) {
      case 'k':
      case 'K':
        return "No previous hunk";
      case 'j':
      case 'J':
        return "No next hunk";
      case 'g':
        return "No other hunks to go to";
      case '/':
        return "No other hunks to search";
      case 's':
        return "Sorry, cannot split this hunk";
      case 'e':
        return "Sorry, cannot edit this hunk";
      default:
        return fmt::format("Unknown command {} (use '?' for help)",
                           quoted(std::string_view{&key, 1}));
    }
  }

  void go_to(std::size_t at) {
    at_ = at;
    shown_ = false;
  }

  void to_undecided() {
    const auto next = undecided_after();
    const auto first = std::find_if(parts_.begin(), parts_.end(), is_undecided);
    if (next || first != parts_.end()) {
      go_to(next.value_or(static_cast<std::size_t>(std::distance(parts_.begin(), first))));
    }
  }

  void decide(Decision decision) {
    parts_[at_].decision = decision;
    to_undecided();
  }

  void decide_rest(std::size_t from, Decision decision) {
    for (std::size_t i = from; i < parts_.size(); ++i) {
      if (is_undecided(parts_[i])) {
        parts_[i].decision = decision;
      }
    }
  }

  void split() {
    std::vector<Part> pieces;
    for (Hunk& hunk : split_hunk(parts_[at_].hunk)) {
      Part piece;
      piece.kind = PartKind::Hunk;
      piece.edited = parts_[at_].edited;
      piece.seen = parts_[at_].seen;
      piece.hunk = std::move(hunk);
      pieces.push_back(std::move(piece));
    }
    asker_.say(fmt::format("Split into {} hunks.", pieces.size()));
    const auto here = parts_.begin() + static_cast<std::ptrdiff_t>(at_);
    parts_.insert(parts_.erase(here), std::make_move_iterator(pieces.begin()),
                  std::make_move_iterator(pieces.end()));
    shown_ = false;
  }

  void go_to_number(std::string argument, const PartQuestion& question) {
    if (argument.empty()) {
      asker_.list(question);
      argument = asker_.ask_more("go to which hunk?").value_or("");
    }
    const std::size_t start = std::min(argument.find_first_not_of(' '), argument.size());
    std::size_t number = 0;
    const char* end = argument.data() + argument.size();
    const auto read = std::from_chars(argument.data() + start, end, number);
    if (read.ec != std::errc{} || read.ptr != end) {
      asker_.say(fmt::format("Invalid number: {}", quoted(argument)));
    } else if (number == 0 || number > parts_.size()) {
      asker_.say(fmt::format("Sorry, only {} hunks available.", parts_.size()));
    } else {
      go_to(number - 1);
    }
  }

  void search(std::string argument) {
    if (argument.empty()) {
      argument = asker_.ask_more("search for regex?").value_or("");
    }
    if (argument.empty()) {
      return;
    }
    const Pattern pattern{argument};
    if (const std::string failure = pattern.failure(); !failure.empty()) {
      asker_.say(fmt::format("Malformed search regexp {}: {}", quoted(argument), failure));
      return;
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::size_t at = (at_ + i) % parts_.size();
      if (parts_[at].kind == PartKind::Hunk && pattern.matches(text_of(parts_[at].hunk))) {
        go_to(at);
        return;
      }
    }
    asker_.say("No hunk matches the given pattern");
  }

  void edit() {
    std::string text = text_of(parts_[at_].hunk);
    for (;;) {
      auto edited = asker_.edit(text);
      if (!edited || is_empty(*edited)) {
        asker_.say("The hunk stays as it was");
        return;
      }
      text = std::move(*edited);
      const std::string failure = try_edit(text);
      if (failure.empty()) {
        return;
      }
      asker_.say(failure);
      const auto again = asker_.ask_more(
          "Your edited hunk does not apply. Edit again (\"n\" keeps the hunk as it was) [y/n]?");
      if (!again || (*again != "y" && *again != "Y")) {
        return;
      }
    }
  }

  // Nothing but comments: the person gave up.
  [[nodiscard]] static bool is_empty(const std::string& edited) {
    const std::vector<std::string> lines = split_lines(edited);
    return std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.empty() || line[0] == '#' || line.compare(0, 2, "@@") == 0;
    });
  }
  [[nodiscard]] static std::vector<std::string> split_lines(const std::string& text) {
    return shadow::split(text, '\n');
  }

  // Takes the edited hunk, or says why it cannot be taken.
  [[nodiscard]] std::string try_edit(const std::string& text) {
    try {
      auto hunk = edited_hunk(parts_[at_].hunk, text, what_, text_);
      if (!hunk) {
        decide(Decision::Refused);
        return {};
      }
      parts_[at_].hunk = std::move(*hunk);
      parts_[at_].edited = true;
      decide(Decision::Taken);
      return {};
    } catch (const workspace::Failure& error) {
      return error.what();
    }
  }

  const OfferedChange& offer_;
  std::vector<Part>& parts_;
  std::string_view text_;
  PickFor what_;
  const PartAsker& asker_;
  std::size_t at_ = 0;
  bool shown_ = false;
  bool quit_ = false;
};

}  // namespace

Onward ask_parts(const OfferedChange& offer, std::vector<Part>& parts, std::string_view text,
                 PickFor what, const PartAsker& asker) {
  return Dialogue{offer, parts, text, what, asker}.run();
}

}  // namespace shadow::cli
