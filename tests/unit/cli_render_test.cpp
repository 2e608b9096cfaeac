// SPDX-License-Identifier: MIT
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/promotion.hpp"
#include "cli/render/runs.hpp"
#include "cli/render/sessions.hpp"
#include "cli/render/status.hpp"
#include "cli/render/summary.hpp"
#include "cli/terminal/pager.hpp"

#include <doctest/doctest.h>

using namespace std::string_literals;
using shadow::ChangeKind;
using shadow::Drift;
using shadow::EntryKind;
using shadow::FileSummary;
using shadow::ReviewItem;
namespace cli = shadow::cli;

namespace {

ReviewItem item(const std::string& path, ChangeKind kind, EntryKind type = EntryKind::File) {
  ReviewItem made;
  made.change.path = path;
  made.change.kind = kind;
  if (kind != ChangeKind::Added) {
    made.change.before.kind = type;
    made.change.before.mode = 0644;
  }
  if (kind != ChangeKind::Deleted) {
    made.change.after.kind = type;
    made.change.after.mode = 0644;
    made.change.after.size = 3;
  }
  return made;
}

shadow::SessionRecord session() {
  shadow::SessionRecord row;
  row.id = "0123456789abcdef";
  row.project = "/p/a b";
  row.agent = "x\n\x1b[31m";
  return row;
}

shadow::StatusReport report() {
  shadow::StatusReport made;
  made.session = session();
  made.items = {item("a b", ChangeKind::Added), item("new\nline", ChangeKind::Modified),
                item("\xff", ChangeKind::Deleted)};
  made.items[1].drift = Drift::Changed;
  made.items[1].resolution.verdict = shadow::Verdict::Conflict;
  made.items[1].resolution.clash = shadow::Clash::Lines;
  made.items[2].sensitive = "direnv runs it";
  made.ignored = {{"out", true, 12, 1, 2048}};
  shadow::BranchWork work;
  work.branch = "main";
  work.commits.resize(2);
  made.branches = {work};
  return made;
}

FileSummary row(char letter, const std::string& path, std::uint64_t added, std::uint64_t removed) {
  FileSummary made;
  made.letter = letter;
  made.path = path;
  made.added = added;
  made.removed = removed;
  return made;
}

}  // namespace

TEST_SUITE("cli/render/status") {
  TEST_CASE("people get a summary that cannot steer their terminal") {
    CHECK(cli::status_text(report(), false) ==
          "session 'x\\n\\x1b[31m' of '/p/a b': 3 changes, 1 conflict, 1 sensitive\n"
          "\n"
          "  A  a b\n"
          "  M  new\\nline  (conflict: the same lines were changed on both sides)\n"
          "  D  \\xff  (sensitive: direnv runs it)\n"
          "\n"
          "Ignored, and applied with --ignored only:\n"
          "  out/  (12 files, 2.0 KiB; 1 deleted)\n"
          "\n"
          "Commits:\n"
          "  main: 2 commits not in the project\n");
    shadow::StatusReport untouched;
    untouched.session = session();
    CHECK(cli::status_text(untouched, false) ==
          "session 'x\\n\\x1b[31m' of '/p/a b': no changes\n");
  }

  TEST_CASE("scripts get one line a change, quoted as git does, or raw with NUL") {
    CHECK(cli::status_porcelain(report(), cli::LineEnd::Newline) ==
          "A.. a b\nMC. \"new\\nline\"\nD.S \"\\377\"\nI.. out/\n");
    CHECK(cli::status_porcelain(report(), cli::LineEnd::Nul) ==
          "A.. a b\0MC. new\nline\0D.S \xff\0I.. out/\0"s);
    shadow::StatusReport worked_on = report();
    worked_on.items[1].resolution.verdict = shadow::Verdict::Write;
    CHECK(cli::status_porcelain(worked_on, cli::LineEnd::Newline).find("M.. ") !=
          std::string::npos);
  }

  TEST_CASE("JSON is a record with lists of records") {
    const cli::Json json = cli::Json::parse(cli::status_json(report()).line());
    CHECK(json["changes"][1]["path"] == "new\nline");
    CHECK(json["changes"][2]["path_hex"] == "ff");
    CHECK(json["changes"][1]["drift"] == "changed");
    CHECK(json["ignored"][0]["deleted"] == 1);
    CHECK(json["branches"][0]["commits"].size() == 2);
    CHECK(json["session"]["agent"] == "x\n\x1b[31m");
  }

  TEST_CASE("a directory is told by what is in it") {
    std::vector<ReviewItem> items{
        item("d", ChangeKind::Added, EntryKind::Directory), item("d/f", ChangeKind::Added),
        item("e", ChangeKind::Deleted, EntryKind::Directory),
        item("m", ChangeKind::Modified, EntryKind::Directory), item("m/f", ChangeKind::Added)};
    const auto lines = shadow::listable(items);
    REQUIRE(lines.size() == 4);
    CHECK(cli::shown_path(lines[0].change) == "d/f");
    CHECK(cli::shown_path(lines[1].change) == "e/");
    CHECK(cli::shown_path(lines[2].change) == "m/");
  }

  TEST_CASE("a change of type or mode is put into words") {
    ReviewItem type = item("x", ChangeKind::TypeChanged);
    type.change.after.kind = EntryKind::Symlink;
    CHECK(cli::remarks(type) == "file became symlink");
    ReviewItem mode = item("x", ChangeKind::Modified);
    mode.change.mode_changed = true;
    mode.change.after.mode = 0755;
    CHECK(cli::remarks(mode) == "mode 644 became 755");
  }
}

TEST_SUITE("cli/render/summary") {
  TEST_CASE("stat looks as git's") {
    FileSummary binary = row('M', "b.bin", 0, 0);
    binary.binary = true;
    binary.old_size = 3;
    binary.new_size = 4;
    CHECK(cli::stat_text({row('M', "a.c", 2, 1), binary}, {}) ==
          " a.c   |   3 ++-\n"
          " b.bin | Bin 3 -> 4 bytes\n"
          " 2 files changed, 2 insertions(+), 1 deletion(-)\n");
    CHECK(cli::stat_text({}, {}).empty());
    const std::string wide = cli::stat_text({row('A', std::string(300, 'x'), 5000, 1)}, {});
    CHECK(wide.find("...xxx") != std::string::npos);
    CHECK(wide.find('\n') <= 80);
  }

  TEST_CASE("renames tell once what both names share") {
    CHECK(cli::rename_text("a/b/c", "a/x/c") == "a/{b => x}/c");
    CHECK(cli::rename_text("a/c", "a/b/c") == "a/{ => b}/c");
    CHECK(cli::rename_text("a", "b") == "a => b");
    CHECK(cli::rename_text("d/a", "d/b") == "d/{a => b}");
    CHECK(cli::rename_text("d/a\n", "d/b") == "\"d/a\\n\" => d/b");
  }

  TEST_CASE("names and numbers come quoted, or raw with NUL") {
    FileSummary moved = row('R', "n\xff", 1, 0);
    moved.old_path = "o o";
    moved.similarity = 95;
    const std::vector<FileSummary> files{moved, row('D', "d", 0, 4)};
    cli::SummaryStyle raw;
    raw.null_terminated = true;
    CHECK(cli::names_text(files, cli::DiffFormat::NameStatus, {}) ==
          "R095\to o\t\"n\\377\"\nD\td\n");
    CHECK(cli::names_text(files, cli::DiffFormat::NameStatus, raw) == "R095\0o o\0n\xff\0D\0d\0"s);
    CHECK(cli::names_text(files, cli::DiffFormat::NameOnly, {}) == "\"n\\377\"\nd\n");
    CHECK(cli::numstat_text(files, {}) == "1\t0\to o => \"n\\377\"\n0\t4\td\n");
    CHECK(cli::numstat_text(files, raw) == "1\t0\t\0o o\0n\xff\0"s + "0\t4\td\0"s);
  }
}

TEST_SUITE("cli/render/runs") {
  TEST_CASE("a run is told with its command as a shell would read it") {
    shadow::LoggedRun logged;
    logged.run.id = 7;
    logged.run.argv = {"sh", "-c", "echo \x1b[2J"};
    logged.run.cwd = "/p";
    logged.run.started_ns = 0;
    logged.run.ended_ns = 1'500'000'000;
    logged.run.exit_code = 3;
    logged.files = 2;
    const std::string line = cli::log_line(logged);
    CHECK(line.find("    7  ") == 0);
    CHECK(line.find("exit 3") != std::string::npos);
    CHECK(line.find('\x1b') == std::string::npos);
    CHECK(cli::run_json(logged)["argv"][0]["word"] == "sh");
    CHECK(cli::run_json(logged)["duration_ms"] == 1500);
    CHECK(cli::ending_text({}, true) == "still running");
    CHECK(cli::ending_text({}, false) == "unknown");
    logged.run.state = shadow::RunState::Settled;
    CHECK(cli::show_text({logged, {{"a\nb", shadow::RunEffect::Written}}})
              .find("  written a\\nb\n") != std::string::npos);
  }
}

TEST_SUITE("cli/render/sessions") {
  TEST_CASE("a long name does not push the columns away") {
    shadow::ListedSession longest;
    longest.session.agent = std::string(10'000, 'n');
    longest.session.project = "/p";
    shadow::ListedSession other;
    other.session.agent = "a\nb";
    other.session.project = "/q";
    other.changed = 3;
    other.live = true;
    const std::string text = cli::sessions_text({longest, other});
    CHECK(text.find("a\\nb" + std::string(36, ' ') + "  3") != std::string::npos);
    CHECK(text.find("/q       live\n") != std::string::npos);
    CHECK(cli::sessions_text({}) == "no sessions\n");
    CHECK(cli::sessions_json({other})["sessions"][0]["changes"] == 3);
    CHECK(cli::sessions_json({longest})["sessions"][0]["changes"].is_null());
    CHECK(cli::sessions_json({longest})["sessions"][0]["counted"].is_null());
  }

  TEST_CASE("a number that may be another by now is told as such") {
    shadow::ListedSession session;
    session.session.agent = "a";
    session.changed = 3;
    session.bytes = 5;
    session.home_bytes = 7;
    CHECK(cli::sessions_text({session}).find("a      3        12 B") != std::string::npos);
    session.outdated = true;
    CHECK(cli::sessions_text({session}).find("a      ~3       ~12 B") != std::string::npos);
    session.home_bytes.reset();
    CHECK(cli::sessions_text({session}).find("a      ~3       ?") != std::string::npos);
  }
}

TEST_SUITE("cli/render/promotion") {
  TEST_CASE("a plan tells what is written, what is left and why") {
    shadow::Promotion promotion;
    promotion.chosen.taken = {item("a", ChangeKind::Added)};
    ReviewItem ignored = item("out/x", ChangeKind::Added);
    ignored.standing = shadow::Standing::Ignored;
    ignored.fold = "out";
    promotion.chosen.left = {{ignored, shadow::SkipReason::Ignored}};
    CHECK(cli::promotion_text(promotion, false) ==
          "to be written:\n  A  a\n"
          "left in the session (ignored by git; --ignored takes it):\n  out/\n");
    shadow::workspace::Applied done;
    done.id = 4;
    CHECK(cli::promoted_text(promotion, done)
              .find("applied 1 change; 'shadow undo 4' takes it back\n") == 0);
    const auto json = cli::Json::parse(cli::promotion_json(promotion, &done).line());
    CHECK(json["left"][0]["because"] == "ignored");
    CHECK(cli::promotion_text({}, false) == "nothing to apply\n");
  }
}

TEST_SUITE("cli/pager") {
  TEST_CASE("the pager is read from git's configuration as git reads it") {
    CHECK(cli::core_pager("[core]\n\tpager = less -S # x\n") == "less -S");
    CHECK(cli::core_pager("[Core]\n  Pager=\"a ; \\\"b\\\"\" ; c\n") == "a ; \"b\"");
    CHECK_FALSE(cli::core_pager("[core \"x\"]\n\tpager = no\n[pager]\n\tdiff = no\n"));
    CHECK_FALSE(cli::core_pager("# [core]\n#pager = x\n"));
  }

  TEST_CASE("a colour ends before the line does") {
    CHECK(cli::painted(cli::Paint::Red, "-x\n", true) == "\x1b[31m-x\x1b[m\n");
    CHECK(cli::painted(cli::Paint::Red, "-x\n", false) == "-x\n");
    CHECK(cli::painted(cli::Paint::Plain, "x", true) == "x");
  }
}
