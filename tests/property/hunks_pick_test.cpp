// SPDX-License-Identifier: MIT
// Random answers to apply -p and discard -p, over random changes of all kinds.

#include "apply/pick_plan.hpp"
#include "base/text.hpp"
#include "changes/review_set.hpp"
#include "cli/terminal/part_dialogue.hpp"
#include "discard/discard.hpp"
#include "hunks/pick.hpp"
#include "overlay/read/view.hpp"
#include "review/hunks.hpp"
#include "session/selection/selection.hpp"
#include "support/chance.hpp"
#include "support/scratch.hpp"
#include "support/session_fixture.hpp"
#include "support/text.hpp"
#include "support/trees.hpp"
#include "sys/files/beneath.hpp"
#include "upkeep/clean_up.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

using shadow::hunks::Offer;
using shadow::hunks::Pick;
using shadow::session::ReviewSession;
using shadow::test::Chance;
using shadow::test::describe;
using shadow::test::Description;
using shadow::test::SessionFixture;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr std::array kPaths = {"-dash", "a b", "d/new\nline", "d/sub/\xff", "d/sub/y",
                               "e/x",   "e/y", "g",           "h",          "i/:,\\"};

Files random_files(Chance& chance) {
  Files files;
  for (const char* path : kPaths) {
    files.emplace_back(path, shadow::test::random_text(chance, 60));
  }
  return files;
}

// A session that changes some of its project's files. `view` is a tree of its own that has all of
// the changes: what the session's view should be.
class World {
 public:
  World(Chance& chance, const Files& files) : fixture{files}, chance_{chance} {
    for (const auto& [path, text] : files) {
      shadow::test::write_file(fixture.root(), path, text);
      shadow::test::set_mode(fixture.root(), parent_of(path), 0755);
      shadow::test::write_file(view(), path, text);
    }
    // The project's files are what they were when the session began.
    fixture.add_session("again");
    for (const auto& [path, text] : files) {
      if (path[0] != 'e') {
        change(path, text);
      }
    }
    change_directory("e");
    if (chance_.one_in(2)) {
      put("n/1", "new\n", 0755);
      put("n/sub dir/2", "new\n", 0644);
      shadow::test::make_dir(upper(), "n/empty");
      shadow::test::make_dir(view(), "n/empty");
    }
  }

  [[nodiscard]] ReviewSession open() const { return fixture.open("again"); }
  [[nodiscard]] std::string upper() const {
    const auto id = shadow::session_id({fixture.root(), "again"});
    return shadow::StateDir::open().session(id) + "/project/upper";
  }
  [[nodiscard]] const std::string& view() const { return view_.path(); }
  [[nodiscard]] Description real() const { return describe(fixture.root()); }

  SessionFixture fixture;

 private:
  static std::string parent_of(const std::string& path) {
    const std::string parent{shadow::sys::split_path(path).parent};
    return parent.empty() ? "." : parent;
  }

  void put(const std::string& path, const std::string& text, unsigned mode) const {
    for (const std::string& root : {upper(), view()}) {
      shadow::test::write_file(root, path, text, mode);
      shadow::test::set_mode(root, path, mode);
    }
  }

  void remove(const std::string& path) const {
    shadow::test::remove(view(), path);
    const std::string_view parent = shadow::sys::split_path(path).parent;
    if (!parent.empty()) {
      shadow::test::make_dirs(upper() + "/" + std::string{parent});
    }
    const shadow::sys::Fd dir = shadow::sys::open_path(upper(), O_RDONLY | O_DIRECTORY);
    shadow::overlay::make_whiteout(dir.get(), path);
  }

  void change(const std::string& path, const std::string& text) {
    const unsigned mode = chance_.one_in(4) ? 0600 : 0644;
    switch (chance_.below(9)) {
      case 0:
        break;
      case 1:
        remove(path);
        break;
      case 2:
        put(path, text + std::string{"\0", 1}, mode);
        break;
      case 3:
        put(path, text, 0755);
        break;
      case 4:
        shadow::test::remove(view(), path);
        shadow::test::make_symlink(view(), path, "a b");
        shadow::test::make_symlink(upper(), path, "a b");
        break;
      case 5:
        shadow::test::remove(view(), path);
        put(path + "/child", text, 0644);
        break;
      default:
        put(path, shadow::test::edited_text(chance_, text), mode);
    }
  }

  void change_directory(const std::string& path) {
    switch (chance_.below(3)) {
      case 0:
        remove(path);
        break;
      case 1:
        shadow::test::remove(view(), path);
        put(path, "a file now\n", 0644);
        break;
      default:
        remove(path + "/x");
    }
  }

  Chance& chance_;
  shadow::test::Scratch view_;
};

// Someone who answers whatever comes to mind, as often as asked.
shadow::cli::PartAsker anyone(Chance& chance) {
  shadow::cli::PartAsker asker;
  asker.show = [](const shadow::cli::PartQuestion&) {};
  asker.ask = [&chance](const shadow::cli::PartQuestion&) -> std::optional<std::string> {
    if (chance.one_in(40)) {
      return std::nullopt;
    }
    constexpr std::string_view kKeys = "yyynnnadsjkJK/g";
    const char key = chance.any(kKeys);
    return key == '/' || key == 'g' ? std::string{key} + "1" : std::string(1, key);
  };
  asker.ask_more = [](const std::string&) { return std::nullopt; };
  asker.say = [](const std::string&) {};
  asker.help = [](const shadow::cli::PartQuestion&) {};
  asker.list = asker.help;
  asker.edit = asker.ask_more;
  return asker;
}

// As the command line asks.
std::vector<Pick> ask_all(const ReviewSession& session, const std::vector<Offer>& offers,
                          shadow::PickFor what, const shadow::cli::PartAsker& asker) {
  const bool apply = what == shadow::PickFor::Apply;
  std::vector<Pick> picks;
  for (const Offer& offer : offers) {
    shadow::hunks::Texts texts;
    Pick pick{offer,
              shadow::hunks::parts_of(
                  session, offer, apply ? shadow::Shown::Written : shadow::Shown::Session, texts)};
    const auto onward =
        shadow::cli::ask_parts(offer, pick.parts, apply ? texts.before : texts.after, what, asker);
    picks.push_back(std::move(pick));
    if (onward == shadow::cli::Onward::Quit) {
      break;
    }
  }
  return picks;
}

// What each path of the picks should be afterwards is worked out the other way round: from the
// session's text without what was refused.
std::string expected_text(const ReviewSession& session, const Pick& pick) {
  const auto texts = shadow::hunks::read_texts(session, pick.offer.item, shadow::Shown::Session);
  REQUIRE(texts.has_value());
  if (shadow::hunks::takes(pick, shadow::PartKind::Whole)) {
    return texts->after;
  }
  std::vector<shadow::Hunk> refused;
  bool content = false;
  for (const shadow::Part& part : pick.parts) {
    content = content || part.kind == shadow::PartKind::Hunk;
    if (part.kind == shadow::PartKind::Hunk && part.decision == shadow::Decision::Refused) {
      refused.push_back(shadow::review::reversed(part.hunk));
    }
  }
  return content ? shadow::review::apply_hunks(texts->after, refused) : texts->before;
}

struct Expected {
  std::map<std::string, std::string> texts;  // of files of which a part was taken
  std::vector<std::string> touched;
};

Expected expectations(const ReviewSession& session, const std::vector<Pick>& picks) {
  Expected expected;
  for (const Pick& pick : picks) {
    if (shadow::hunks::takes_nothing(pick)) {
      continue;
    }
    expected.touched.push_back(pick.offer.item.change.path);
    if (!shadow::hunks::takes_everything(pick)) {
      expected.texts.emplace(pick.offer.item.change.path, expected_text(session, pick));
    }
  }
  return expected;
}

// Whether something about the path may have changed: it was taken, is below something that was, or
// is a directory that came along or went empty.
bool may_differ(const std::string& path, const Expected& expected) {
  for (const std::string& touched : expected.touched) {
    if (shadow::is_at_or_below(path, touched) || shadow::is_at_or_below(touched, path)) {
      return true;
    }
  }
  return false;
}

void check_only_touched_differ(const Description& before, const Description& after,
                               const Expected& expected) {
  Description all = before;
  all.insert(after.begin(), after.end());
  for (const auto& entry : all) {
    const std::string& path = entry.first;
    const auto was = before.find(path);
    const auto is = after.find(path);
    const bool same = was != before.end() && is != after.end() && was->second == is->second;
    CAPTURE(path);
    CHECK((same || may_differ(path, expected)));
  }
}

void apply_some(const World& world, const shadow::cli::PartAsker& asker) {
  const ReviewSession session = world.open();
  const Description before = world.real();
  Expected expected;
  shadow::apply::ApplyChoice choice;
  choice.allow_sensitive =
      true;  // chance makes links in circles, and all of the view has to arrive
  const shadow::apply::PartsBasis basis = shadow::apply::offer_parts(session, choice);
  const auto picks = ask_all(session, basis.offers, shadow::PickFor::Apply, asker);
  expected = expectations(session, picks);
  const shadow::apply::Promotion promotion = shadow::apply::plan_picked(session, basis, picks);
  shadow::upkeep::clean_up(
      session, shadow::apply::execute_promotion(session, promotion, false).paths.size());
  check_only_touched_differ(before, world.real(), expected);
  for (const auto& entry : expected.texts) {
    CAPTURE(entry.first);
    CHECK(shadow::test::read(world.fixture.root(), entry.first) == entry.second);
  }
}

shadow::cli::PartAsker yes_to_all(Chance& chance) {
  shadow::cli::PartAsker asker = anyone(chance);
  asker.ask = [](const shadow::cli::PartQuestion&) { return "a"; };
  return asker;
}

// Nothing that was staged stays.
void check_no_leftovers(const World& world) {
  for (const auto& [path, text] : describe(world.upper())) {
    CHECK(path.find(".shadow-") == std::string::npos);
  }
}

// The view as the upper and the real tree give it.
void check_view(const World& world, const std::map<std::string, std::string>& texts) {
  const ReviewSession session = world.open();
  const shadow::overlay::View view{session.upper.get(), session.lower.get()};
  for (const auto& entry : texts) {
    CAPTURE(entry.first);
    CHECK(view.read(entry.first, 1U << 20U) == entry.second);
  }
}

std::map<std::string, std::string> texts_of(const std::string& root) {
  std::map<std::string, std::string> texts;
  const shadow::sys::Fd dir = shadow::sys::open_path(root, O_RDONLY | O_DIRECTORY);
  const shadow::overlay::View tree{-1, dir.get()};
  for (const auto& [path, text] : describe(root)) {
    if (auto content = tree.read(path, 1U << 20U)) {
      texts.emplace(path, std::move(*content));
    }
  }
  return texts;
}

}  // namespace

TEST_SUITE("property/hunks_pick") {
  TEST_CASE("parts taken in any order, and then the rest, make the project the view") {
    for (std::uint64_t seed = shadow::test::first_seed(), end = seed + shadow::test::rounds(60);
         seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const World world{chance, random_files(chance)};
      const auto view = texts_of(world.view());
      for (int round = 0; round < 3; ++round) {
        apply_some(world, anyone(chance));
        check_view(world, view);
      }
      apply_some(world, yes_to_all(chance));
      CHECK(world.real() == describe(world.view()));
      const ReviewSession session = world.open();
      CHECK(
          shadow::changes::review_changes(session, {}, shadow::changes::WalkGitDirs::Yes).empty());
      check_no_leftovers(world);
    }
  }

  TEST_CASE("parts dropped in any order leave the session and nothing else does") {
    for (std::uint64_t seed = shadow::test::first_seed(), end = seed + shadow::test::rounds(60);
         seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const World world{chance, random_files(chance)};
      const Description real = world.real();
      for (int round = 0; round < 4; ++round) {
        const ReviewSession session = world.open();
        const auto items =
            shadow::changes::review_changes(session, {}, shadow::changes::WalkGitDirs::Yes).items;
        const auto picks =
            ask_all(session, shadow::discard::discard_offers(items), shadow::PickFor::Discard,
                    round == 3 ? yes_to_all(chance) : anyone(chance));
        std::map<std::string, std::string> kept;
        for (const Pick& pick : picks) {
          const auto texts =
              shadow::hunks::read_texts(session, pick.offer.item, shadow::Shown::Session);
          if (texts && !shadow::hunks::takes(pick, shadow::PartKind::Whole)) {
            std::vector<shadow::Hunk> refused;
            for (const shadow::Part& part : pick.parts) {
              if (part.kind == shadow::PartKind::Hunk &&
                  part.decision == shadow::Decision::Refused) {
                refused.push_back(part.hunk);
              }
            }
            const bool binary = pick.parts.back().kind == shadow::PartKind::Whole;
            kept.emplace(
                pick.offer.item.change.path,
                binary ? texts->after : shadow::review::apply_hunks(texts->before, refused));
          }
        }
        shadow::discard::discard_picked(session, picks);
        check_view(world, kept);
        CHECK(world.real() == real);
      }
      const ReviewSession session = world.open();
      CHECK(
          shadow::changes::review_changes(session, {}, shadow::changes::WalkGitDirs::Yes).empty());
      check_no_leftovers(world);
    }
  }
}
