// SPDX-License-Identifier: MIT
// Random edits of a session and of the user, a refresh, an apply: every edit of either is in the
// project then, or its path was named a conflict and both versions are where they were.

#include "refresh/refresh.hpp"

#include "apply/promotion/promotion.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "support/chance.hpp"
#include "support/scratch.hpp"
#include "support/session_fixture.hpp"
#include "support/trees.hpp"
#include "sys/files/beneath.hpp"
#include "upkeep/clean_up.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using shadow::session::ReviewSession;
using shadow::test::Chance;
using shadow::test::describe;
using shadow::test::SessionFixture;

namespace {

constexpr std::array kPaths = {"-dash", "a b", "d/new\nline", "d/sub/\xff", "d/sub/y",
                               "e/x",   "e/y", "g",           "h",          "i/:,\\"};
constexpr std::array kNewPaths = {"n1", "d/n2", "m/n3"};
constexpr std::size_t kLines = 24;

// What one side made of a file.
struct Version {
  enum class Kind { Absent, File, Link } kind = Kind::File;
  std::map<std::size_t, std::string> lines;  // edited ones
  bool binary = false;
  unsigned mode = 0644;
  bool touched = false;  // also where nothing else changed
  std::string moved_to;  // of the agent's
};

std::string text_of(const std::string& path, const Version& version) {
  std::string text = version.binary ? std::string{"\0", 1} : std::string{};
  for (std::size_t i = 0; i < kLines; ++i) {
    const auto edited = version.lines.find(i);
    text += edited == version.lines.end() ? path + " line " + std::to_string(i) : edited->second;
    text += "\x01\n";
  }
  return text;
}

Version random_version(Chance& chance, const std::string& side) {
  Version version;
  switch (chance.below(10)) {
    case 0:
      return version;
    case 1:
      version.kind = Version::Kind::Absent;
      break;
    case 2:
      version.kind = chance.one_in(2) ? Version::Kind::Link : Version::Kind::File;
      break;
    case 3:
      version.binary = true;
      break;
    case 4:
      version.mode = 0755;
      break;
    default:
      for (std::size_t n = chance.below(4); n > 0; --n) {
        const std::size_t at = chance.below(kLines);
        version.lines[at] = side + " at " + std::to_string(at);
      }
      version.mode = chance.one_in(6) ? 0755 : 0644;
  }
  version.touched = true;
  return version;
}

bool is_whole(const Version& version) {
  return version.kind == Version::Kind::File && !version.binary;
}

void put(const std::string& root, const std::string& path, const std::string& text,
         const Version& version, const std::string& target) {
  if (version.kind == Version::Kind::Link) {
    shadow::test::make_symlink(root, path, target);
  } else {
    shadow::test::write_file(root, path, text, version.mode);
    shadow::test::set_mode(root, path, version.mode);
  }
}

class World {
 public:
  explicit World(Chance& chance) : fixture{files()}, chance_{chance} {
    fixture.add_session("again");
    keep_bases();
    for (const char* path : kPaths) {
      agent_edits(path);
      user_edits(path);
    }
    for (const char* path : kNewPaths) {
      add(path);
    }
  }

  [[nodiscard]] ReviewSession open() const { return fixture.open("again"); }
  [[nodiscard]] std::string root() const { return fixture.root(); }
  [[nodiscard]] std::string upper() const {
    const auto id = shadow::session_id({root(), "again"});
    return shadow::StateDir::open().session(id) + "/project/upper";
  }

  SessionFixture fixture;
  std::map<std::string, Version> agent;
  std::map<std::string, Version> user;
  std::map<std::string, std::string> added;  // new paths with what the agent wrote

 private:
  static std::vector<std::pair<std::string, std::string>> files() {
    std::vector<std::pair<std::string, std::string>> files;
    files.reserve(std::size(kPaths));
    for (const char* path : kPaths) {
      files.emplace_back(path, text_of(path, {}));
    }
    return files;
  }

  // As the ledger would have taken them.
  void keep_bases() const {
    const ReviewSession session = open();
    shadow::store::Blobs blobs{session.state.path()};
    for (const char* path : kPaths) {
      const auto content = shadow::BaseContent::stored(blobs.put_bytes(text_of(path, {})));
      shadow::store::put_base(
          *session.db, session.row.id, path,
          shadow::Base::known(shadow::overlay::look_beneath(session.lower.get(), path),
                              shadow::BaseSource::Ledger, content));
    }
  }

  void delete_in_upper(const std::string& path) const {
    const shadow::sys::Fd dir = shadow::sys::open_path(upper(), O_RDONLY | O_DIRECTORY);
    const std::string parent{shadow::sys::split_path(path).parent};
    if (!parent.empty()) {
      shadow::test::make_dirs(upper() + "/" + parent);
    }
    shadow::overlay::make_whiteout(dir.get(), path);
  }

  void agent_edits(const std::string& path) {
    Version version = random_version(chance_, "agent");
    if (!version.touched) {
      agent.emplace(path, version);
      return;
    }
    if (is_whole(version) && chance_.one_in(5)) {
      version.moved_to = "moved/" + std::to_string(agent.size());
    }
    if (version.kind == Version::Kind::Absent || !version.moved_to.empty()) {
      delete_in_upper(path);
    }
    if (version.kind != Version::Kind::Absent) {
      put(upper(), version.moved_to.empty() ? path : version.moved_to, text_of(path, version),
          version, "agent");
    }
    agent.emplace(path, version);
  }

  void user_edits(const std::string& path) {
    const Version version = random_version(chance_, "user");
    if (version.touched) {
      shadow::test::remove(root(), path);
      if (version.kind != Version::Kind::Absent) {
        put(root(), path, text_of(path, version), version, "user");
      }
    }
    user.emplace(path, version);
  }

  void add(const std::string& path) {
    if (chance_.one_in(3)) {
      return;
    }
    const std::string text = "new by agent\n";
    added.emplace(path, text);
    shadow::test::write_file(upper(), path, text);
    if (chance_.one_in(2)) {
      shadow::test::write_file(root(), path, chance_.one_in(2) ? text : "new by user\n");
    }
  }

  Chance& chance_;
};

std::optional<std::string> read_if_any(const std::string& root, const std::string& path) {
  const shadow::sys::Fd dir = shadow::sys::open_path(root, O_RDONLY | O_DIRECTORY);
  const shadow::overlay::View tree{-1, dir.get()};
  return tree.read(path, 1U << 20U);
}

void check_lines(const std::string& path, const std::string& text, const Version& version) {
  for (const auto& [at, line] : version.lines) {
    const std::string old = path + " line " + std::to_string(at) + "\x01\n";
    CHECK(text.find(line + "\x01\n") != std::string::npos);
    CHECK(text.find(old) == std::string::npos);
  }
}

bool is_agents_link(const std::string& root, const std::string& path, const std::string& target) {
  const shadow::sys::Fd dir = shadow::sys::open_path(root, O_RDONLY | O_DIRECTORY);
  return shadow::overlay::look_beneath(dir.get(), path).target == target;
}

// The path was in no conflict: both edits are in the project.
void check_both(const World& world, const std::string& path) {
  const Version& agent = world.agent.at(path);
  const Version& user = world.user.at(path);
  const std::string& at = agent.moved_to.empty() ? path : agent.moved_to;
  const auto text = read_if_any(world.root(), at);
  CAPTURE(path);
  CAPTURE(at);
  if (agent.kind == Version::Kind::Absent || user.kind == Version::Kind::Absent) {
    CHECK_FALSE(read_if_any(world.root(), path).has_value());
    return;
  }
  if (agent.kind == Version::Kind::Link) {
    CHECK(is_agents_link(world.root(), path, "agent"));
    return;
  }
  if (user.kind == Version::Kind::Link) {
    CHECK(is_agents_link(world.root(), path, "user"));
    return;
  }
  REQUIRE(text.has_value());
  CHECK(((*text)[0] == '\0') == (agent.binary || user.binary));
  check_lines(path, *text, agent);
  check_lines(path, *text, user);
  const shadow::sys::Fd dir = shadow::sys::open_path(world.root(), O_RDONLY | O_DIRECTORY);
  CHECK(shadow::overlay::look_beneath(dir.get(), at).mode == (agent.mode | user.mode));
}

std::set<std::string> named(const shadow::RefreshReport& report) {
  std::set<std::string> paths;
  for (const shadow::SkippedPath& left : report.left) {
    paths.insert(left.item.change.path);
    paths.insert(left.item.resolution.partner);
  }
  return paths;
}

// Without being asked about conflicts, of what is in none.
void apply_rest(const World& world, const std::set<std::string>& conflicts) {
  const ReviewSession session = world.open();
  shadow::apply::ApplyChoice choice;
  for (const auto& item :
       shadow::changes::review_changes(session, {}, shadow::changes::WalkGitDirs::Yes).items) {
    const std::string& path = item.change.path;
    bool above = false;
    for (const std::string& conflict : conflicts) {
      above = above || conflict.compare(0, path.size() + 1, path + '/') == 0;
    }
    if (conflicts.count(path) != 0 || above) {
      choice.refused.insert(path);
    }
  }
  const shadow::apply::Promotion promotion = shadow::apply::plan_promotion(session, choice);
  CHECK_NOTHROW(shadow::apply::check_promotion(promotion));
  shadow::upkeep::clean_up(
      session, shadow::apply::execute_promotion(session, promotion, false).paths.size());
}

}  // namespace

TEST_SUITE("property/refresh") {
  TEST_CASE("after a refresh and an apply every edit is in the project, or was named a conflict") {
    std::size_t merged = 0;
    std::size_t left = 0;
    for (std::uint64_t seed = shadow::test::first_seed(), end = seed + shadow::test::rounds(40);
         seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const World world{chance};
      const auto real = describe(world.root());
      const auto before = describe(world.upper());
      shadow::RefreshReport report;
      {
        const ReviewSession session = world.open();
        const shadow::RefreshReport plan = shadow::refresh::plan_refresh(session, {});
        CHECK(describe(world.upper()) == before);
        report = shadow::refresh::refresh(session, {});
        CHECK(named(plan) == named(report));
        CHECK(plan.done.size() == report.done.size());
        CHECK(shadow::refresh::refresh(session, {}).done.empty());
      }
      merged += report.done.size();
      left += report.left.size();
      CHECK(describe(world.root()) == real);
      const auto conflicts = named(report);
      const auto after = describe(world.upper());
      apply_rest(world, conflicts);
      const auto result = describe(world.root());
      for (const char* path : kPaths) {
        CAPTURE(path);
        const std::string& moved = world.agent.at(path).moved_to;
        if (conflicts.count(path) == 0) {
          check_both(world, path);
          continue;
        }
        CHECK((real.count(path) == 0 ? result.count(path) == 0 : result.at(path) == real.at(path)));
        CHECK((before.count(path) == 0 || before.at(path) == after.at(path)));
        CHECK((moved.empty() || before.at(moved) == after.at(moved)));
      }
      for (const auto& added : world.added) {
        const std::string& path = added.first;
        CAPTURE(path);
        CHECK((conflicts.count(path) != 0 || read_if_any(world.root(), path) == added.second));
      }
    }
    CHECK(merged > 0);
    CHECK(left > 0);
  }
}
