// SPDX-License-Identifier: MIT
// The dialogue of -p: what is asked, which keys make sense, and what comes out of the answers.

#include "cli/terminal/part_dialogue.hpp"
#include "hunks/pick.hpp"
#include "review/hunks.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <string>
#include <vector>

using shadow::ChangeKind;
using shadow::Decision;
using shadow::EntryKind;
using shadow::Part;
using shadow::PartKind;
using shadow::PickFor;
using shadow::ReviewItem;
using shadow::cli::Onward;
using shadow::cli::PartQuestion;
using shadow::hunks::Offer;

namespace {

const std::string before_text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n";
const std::string after_text = "1\ntwo\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nlast\n";

std::vector<Part> parts_between(const std::string& before, const std::string& after) {
  auto hunks = shadow::review::find_hunks(before, after);
  REQUIRE(hunks.has_value());
  std::vector<Part> parts;
  for (shadow::Hunk& hunk : *hunks) {
    Part part;
    part.kind = PartKind::Hunk;
    part.hunk = std::move(hunk);
    parts.push_back(std::move(part));
  }
  return parts;
}

// Answers from a list; notes what was asked and said.
class Person {
 public:
  explicit Person(std::deque<std::string> answers) : answers_{std::move(answers)} {}

  Onward talk(std::vector<Part>& parts, PickFor what = PickFor::Apply) {
    shadow::cli::PartAsker asker;
    asker.show = [this](const PartQuestion& question) { shown.push_back(question.at); };
    asker.ask = [this](const PartQuestion& question) {
      keys.push_back(question.keys);
      return next();
    };
    asker.ask_more = [this](const std::string&) { return next(); };
    asker.say = [this](const std::string& line) { said.push_back(line); };
    asker.help = [this](const PartQuestion&) { said.emplace_back("help"); };
    asker.list = [this](const PartQuestion&) { said.emplace_back("list"); };
    asker.edit = [this](const std::string& text) {
      seen_in_editor.push_back(text);
      return next();
    };
    return shadow::cli::ask_parts(Offer{}, parts, what == PickFor::Apply ? before_text : after_text,
                                  what, asker);
  }

  std::vector<std::size_t> shown;
  std::vector<std::string> keys;
  std::vector<std::string> said;
  std::vector<std::string> seen_in_editor;

 private:
  std::optional<std::string> next() {
    if (answers_.empty()) {
      return std::nullopt;
    }
    std::string answer = answers_.front();
    answers_.pop_front();
    return answer;
  }

  std::deque<std::string> answers_;
};

// '+' taken, '-' refused, '?' undecided.
std::string decisions(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    text += part.decision == Decision::Taken ? '+' : part.decision == Decision::Refused ? '-' : '?';
  }
  return text;
}

std::vector<Part> three_parts() {
  std::vector<Part> parts = parts_between(before_text, after_text);
  Part mode;
  mode.kind = PartKind::Mode;
  parts.insert(parts.begin(), mode);
  return parts;
}

std::string outcome(std::deque<std::string> answers, Onward* onward = nullptr) {
  std::vector<Part> parts = three_parts();
  const Onward how = Person{std::move(answers)}.talk(parts);
  if (onward != nullptr) {
    *onward = how;
  }
  return decisions(parts);
}

ReviewItem item_of(const std::string& path, ChangeKind kind, EntryKind before, EntryKind after) {
  ReviewItem item;
  item.change.path = path;
  item.change.kind = kind;
  item.change.before.kind = before;
  item.change.after.kind = after;
  return item;
}

std::vector<std::string> paths_of(const std::vector<Offer>& offers) {
  std::vector<std::string> paths;
  for (const Offer& offer : offers) {
    std::string text = offer.item.change.path;
    for (const ReviewItem& item : offer.with) {
      text += " + " + item.change.path;
    }
    paths.push_back(text);
  }
  return paths;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_SUITE("hunks/pick") {
  TEST_CASE("yes, no, all and done decide as in git") {
    CHECK(outcome({"y", "n", "y"}) == "+-+");
    CHECK(outcome({"n", "a"}) == "-++");
    CHECK(outcome({"y", "d"}) == "+--");
    CHECK(outcome({"Y", "N", "Y"}) == "+-+");
  }

  TEST_CASE("quitting and the end of input keep what was taken and refuse the rest") {
    Onward onward = Onward::NextOffer;
    CHECK(outcome({"y", "q"}, &onward) == "+--");
    CHECK(onward == Onward::Quit);
    CHECK(outcome({"y", "y"}, &onward) == "++-");
    CHECK(onward == Onward::Quit);
    CHECK(outcome({}) == "---");
    CHECK(outcome({"y", "y", "y"}, &onward) == "+++");
    CHECK(onward == Onward::NextOffer);
  }

  TEST_CASE("only the keys that make sense are offered") {
    std::vector<Part> parts = three_parts();
    Person person{{"j", "k", "y", "y", "n"}};
    person.talk(parts);
    CHECK(person.keys ==
          Strings{"ynqadjJg/?", "ynqadkKjJg/se?", "ynqadjJg/?", "ynqadKjJg/se?", "ynqadKg/e?"});
    std::vector<Part> one(1);
    Person alone{{"k", "J", "g1", "/x", "s", "e", "x", "", "yes", "n"}};
    alone.talk(one);
    CHECK(alone.keys.front() == "ynqad?");
    CHECK(alone.said == Strings{"No previous hunk", "No next hunk", "No other hunks to go to",
                                "No other hunks to search", "Sorry, cannot split this hunk",
                                "Sorry, cannot edit this hunk",
                                "Unknown command 'x' (use '?' for help)",
                                "Only one letter is expected, got 'yes'"});
    CHECK(alone.shown == std::vector<std::size_t>{0});
    CHECK(decisions(one) == "-");
  }

  TEST_CASE("what was passed over is asked about again, and an answer can be changed") {
    CHECK(outcome({"j", "y", "y", "n"}) == "-++");
    CHECK(outcome({"y", "K", "n", "y", "y"}) == "-++");
    CHECK(outcome({"J", "J", "y", "n", "y"}) == "-++");
    CHECK(outcome({"g3", "y", "y", "n"}) == "+-+");
  }

  TEST_CASE("going to a number and searching say what is wrong") {
    std::vector<Part> parts = three_parts();
    Person person{{"g", "x", "g9", "g", "3", "/two", "/[", "/nowhere", "/", "last", "q"}};
    person.talk(parts);
    CHECK(person.shown == std::vector<std::size_t>{0, 2, 1, 2});
    REQUIRE(person.said.size() == 6);
    CHECK(person.said[0] == "list");
    CHECK(person.said[1] == "Invalid number: 'x'");
    CHECK(person.said[2] == "Sorry, only 3 hunks available.");
    CHECK(person.said[4].rfind("Malformed search regexp '['", 0) == 0);
    CHECK(person.said[5] == "No hunk matches the given pattern");
  }

  TEST_CASE("a hunk is split, and any of its pieces taken") {
    std::vector<Part> parts = parts_between(before_text, after_text);
    Person person{{"s", "n", "y", "n"}};
    person.talk(parts);
    CHECK(decisions(parts) == "-+-");
    CHECK(person.said == Strings{"Split into 2 hunks."});
    const shadow::hunks::Pick pick{Offer{}, parts};
    CHECK(shadow::review::apply_hunks(before_text, shadow::hunks::taken_hunks(pick)) ==
          "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n");
    CHECK_FALSE(shadow::hunks::takes_everything(pick));
    CHECK_FALSE(shadow::hunks::takes_nothing(pick));
  }

  TEST_CASE("an edited hunk is taken as edited, for an apply and for a discard") {
    std::vector<Part> parts = parts_between(before_text, after_text);
    Person person{{"n", "e", "# guide\n@@ x @@\n 13\n 14\n 15\n-16\n+LAST\n# guide\n"}};
    person.talk(parts);
    CHECK(decisions(parts) == "-+");
    CHECK(parts[1].edited);
    const shadow::hunks::Pick pick{Offer{}, {parts[1]}};
    CHECK_FALSE(shadow::hunks::takes_everything(pick));
    CHECK(shadow::review::apply_hunks(before_text, shadow::hunks::taken_hunks(pick)) ==
          "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nLAST\n");

    std::vector<Part> undone = parts_between(before_text, after_text);
    Person other{{"n", "e", " 13\n 14\n 15\n-sixteen\n+last\n"}};
    other.talk(undone, PickFor::Discard);
    CHECK(shadow::review::apply_hunks(after_text, {shadow::review::reversed(undone[1].hunk)}) ==
          "1\ntwo\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n");
  }

  TEST_CASE("an edit that does not fit is offered again with its text, or forgotten") {
    std::vector<Part> parts = parts_between(before_text, after_text);
    Person person{{"n", "e", " wrong\n-16\n+x\n", "y", " 13\n 14\n 15\n-16\n+x\n"}};
    person.talk(parts);
    CHECK(decisions(parts) == "-+");
    REQUIRE(person.seen_in_editor.size() == 2);
    CHECK(person.seen_in_editor[1] == " wrong\n-16\n+x\n");
    std::vector<Part> kept = parts_between(before_text, after_text);
    Person gives_up{{"n", "e", " wrong\n", "n", "e", "# nothing\n\n", "n"}};
    gives_up.talk(kept);
    CHECK(decisions(kept) == "--");
    CHECK_FALSE(kept[1].edited);
    CHECK(gives_up.said.back() == "The hunk stays as it was");
    std::vector<Part> emptied = parts_between(before_text, after_text);
    Person no_change{{"y", "e", " 13\n 14\n 15\n 16\n"}};
    no_change.talk(emptied);
    CHECK(decisions(emptied) == "+-");
  }

  TEST_CASE("a directory that comes or goes is asked about by what is in it") {
    const auto all = [](const ReviewItem&) { return true; };
    const std::vector<ReviewItem> items = {
        item_of("a b", ChangeKind::Added, EntryKind::Absent, EntryKind::Directory),
        item_of("a b-", ChangeKind::Added, EntryKind::Absent, EntryKind::File),
        item_of("a b/\xff", ChangeKind::Added, EntryKind::Absent, EntryKind::File),
        item_of("empty", ChangeKind::Added, EntryKind::Absent, EntryKind::Directory),
        item_of("gone", ChangeKind::Deleted, EntryKind::Directory, EntryKind::Absent),
        item_of("gone/x", ChangeKind::Deleted, EntryKind::File, EntryKind::Absent)};
    CHECK(paths_of(shadow::hunks::make_offers(items, all)) ==
          Strings{"a b-", "a b/\xff", "empty", "gone/x"});
  }

  TEST_CASE("what changes from or to a directory is one offer with all below it") {
    const std::vector<ReviewItem> items = {
        item_of(".git", ChangeKind::Added, EntryKind::Absent, EntryKind::Directory),
        item_of(".git/HEAD", ChangeKind::Added, EntryKind::Absent, EntryKind::File),
        item_of("d", ChangeKind::TypeChanged, EntryKind::File, EntryKind::Directory),
        item_of("d.x", ChangeKind::Modified, EntryKind::File, EntryKind::File),
        item_of("d/e", ChangeKind::Added, EntryKind::Absent, EntryKind::Directory),
        item_of("d/e/f", ChangeKind::Added, EntryKind::Absent, EntryKind::File)};
    CHECK(paths_of(shadow::hunks::make_offers(items, [](const ReviewItem&) { return true; })) ==
          Strings{".git + .git/HEAD", "d + d/e + d/e/f", "d.x"});
    CHECK(paths_of(shadow::hunks::make_offers(items, [](const ReviewItem& item) {
            return item.change.path == "d.x";
          })) == Strings{"d.x"});
  }
}
