// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "bases/capture/drift.hpp"
#include "changes/review_set.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "sensitive/sensitive.hpp"
#include "session/project/git_dir.hpp"
#include "session/selection/selection.hpp"

#include <doctest/doctest.h>

using shadow::Change;
using shadow::ChangeKind;
using shadow::Drift;
using shadow::Entry;
using shadow::EntryKind;
using shadow::Project;
using shadow::session::Selection;

namespace {

const Project project{"/p/a b", "/p/a b/sub"};

Entry file(std::uint64_t ino = 1, std::int64_t ctime_ns = 10) {
  Entry entry;
  entry.kind = EntryKind::File;
  entry.mode = 0644;
  entry.ino = ino;
  entry.size = 3;
  entry.ctime_ns = ctime_ns;
  return entry;
}

Change added(const std::string& path, Entry after = file()) {
  Change change;
  change.path = path;
  change.kind = ChangeKind::Added;
  change.after = std::move(after);
  return change;
}

Change added_link(const std::string& path, const std::string& target) {
  Entry entry;
  entry.kind = EntryKind::Symlink;
  entry.target = target;
  return added(path, entry);
}

std::string reason(const Change& change, const std::string& text = {}) {
  shadow::sensitive::SensitivePlaces places;
  places.root = "/p/a b";
  places.patterns = {"*.key", "deploy/*"};
  places.named = {{"scripts/git", "git runs it", true, false}, {"tools/env", "direnv runs it"}};
  places.read = [&text](const std::string&) { return std::optional{text}; };
  places.in_view = [](const std::string& path) {
    return path == "here" ? added_link(path, ".").after : Entry{};
  };
  places.in_project = places.in_view;
  places.git_marks = [](const std::string& directory) {
    return shadow::sensitive::look_for_marks(directory, [](const std::string& path) {
      return path == "bare/HEAD" || path == "bare/objects" || path == "bare/refs";
    });
  };
  return shadow::sensitive::SensitiveRules{std::move(places)}.reason_of(change);
}

}  // namespace

TEST_SUITE("session/selection") {
  TEST_CASE("arguments are relative to where the caller stands") {
    const Selection some{{"x", "../y/", "./z/../w", "/p/a b/abs", "new\nline"}, project};
    CHECK(some.paths() == std::vector<std::string>{"abs", "sub/new\nline", "sub/w", "sub/x", "y"});
    CHECK(some.selects("y/deep/er"));
    CHECK_FALSE(some.selects("yy"));
    CHECK(some.leads_to("sub"));
    CHECK_FALSE(some.selects("sub"));
  }

  TEST_CASE("the root selects everything, also beside other paths") {
    CHECK(Selection{{"..", "x"}, project}.everything());
    CHECK(Selection{{"/p/a b"}, project}.selects("\xff"));
    CHECK(Selection{{}, project}.selects("any"));
  }

  TEST_CASE("the caller's directory is never a glob, what was typed is one") {
    const Project odd{"/p", "/p/[a]"};
    const Selection some{{"*.c", ":(icase)READ*"}, odd};
    CHECK(some.selects("[a]/x.c"));
    CHECK(some.selects("[a]/d/x.c"));
    CHECK_FALSE(some.selects("a/x.c"));
    CHECK(some.selects("[a]/readme"));
    CHECK_FALSE(some.is_plain());
    CHECK(some.leads_to("[a]"));
    CHECK_FALSE(some.leads_to("b"));
    CHECK(Selection{{":/[a]"}, odd}.selects("[a]/x"));
    CHECK(Selection{{":/[a]"}, odd}.selects("a"));
    CHECK_FALSE(Selection{{":(top,literal)[a]"}, odd}.selects("a"));
    CHECK(Selection{{"../d/*"}, odd}.selects("d/e/f"));
    CHECK_FALSE(Selection{{":(glob)../d/*"}, odd}.selects("d/e/f"));
  }

  TEST_CASE("what is excluded is left out of what is selected, and of all when nothing is") {
    const Selection some{{":!x", ":^*.o"}, project};
    CHECK(some.selects("y/z"));
    CHECK_FALSE(some.selects("sub/x/deep"));
    CHECK_FALSE(some.selects("sub/d/y.o"));
    CHECK(some.selects("d/y.o"));
    CHECK_FALSE(some.everything());
    CHECK(some.leads_to("sub/x"));
  }

  TEST_CASE("magic that is not known is refused, and never a name") {
    for (const char* word : {":(attr:x)y", ":(top", ":%x", ":(literal,glob)x"}) {
      CHECK_THROWS_AS(Selection({word}, project), shadow::Error);
    }
    CHECK(Selection{{"./:x"}, project}.selects("sub/:x"));
    CHECK(Selection{{":x"}, project}.selects("sub/x"));
  }

  TEST_CASE("what lies outside of the project is refused") {
    CHECK_THROWS_AS(Selection({"../../x"}, project), shadow::Error);
    CHECK_THROWS_AS(Selection({"/p/a bc"}, project), shadow::Error);
    CHECK_THROWS_AS(Selection({""}, project), shadow::Error);
    CHECK_THROWS_AS(Selection({"/"}, project), shadow::Error);
  }
}

TEST_SUITE("bases/drift") {
  TEST_CASE("without a base row the times decide") {
    CHECK(shadow::bases::drift_of({file(1, 10), nullptr, 10, true}) == Drift::None);
    CHECK(shadow::bases::drift_of({file(1, 11), nullptr, 10, true}) == Drift::Changed);
    CHECK(shadow::bases::drift_of({file(1, 11), nullptr, 10, false}) == Drift::Appeared);
    CHECK(shadow::bases::drift_of({Entry{}, nullptr, 10, true}) == Drift::None);
    CHECK(shadow::bases::drift_of({Entry{}, nullptr, 10, false}) == Drift::None);
  }

  TEST_CASE("with a certain row the real entry must be the same in every respect") {
    const auto known = shadow::Base::known(file(), shadow::BaseSource::Tree);
    CHECK(shadow::bases::drift_of({file(), &known, 0, true}) == Drift::None);
    CHECK(shadow::bases::drift_of({file(2), &known, 99, true}) == Drift::Changed);
    CHECK(shadow::bases::drift_of({Entry{}, &known, 99, true}) == Drift::Vanished);
    const auto unknown = shadow::Base::unknown(file());
    CHECK(shadow::bases::drift_of({file(), &unknown, 99, true}) == Drift::Changed);
    const auto absent = shadow::Base::absent(shadow::BaseSource::Tree);
    CHECK(shadow::bases::drift_of({file(), &absent, 99, true}) == Drift::Appeared);
    CHECK(shadow::bases::drift_of({Entry{}, &absent, 99, true}) == Drift::None);
  }

  TEST_CASE("a directory does not drift by what is made in it") {
    Entry directory = file(1, 50);
    directory.kind = EntryKind::Directory;
    CHECK(shadow::bases::drift_of({directory, nullptr, 10, true}) == Drift::None);
    const auto base = shadow::Base::known(directory, shadow::BaseSource::Tree);
    directory.ctime_ns = 60;
    CHECK(shadow::bases::drift_of({directory, &base, 0, true}) == Drift::None);
    directory.mode = 0700;
    CHECK(shadow::bases::drift_of({directory, &base, 0, true}) == Drift::Changed);
  }
}

TEST_SUITE("sensitive") {
  TEST_CASE("files that tools run or obey are sensitive wherever they lie") {
    for (const std::string path :
         {".envrc", "a/.envrc", ".vscode/tasks.json", "x/.VSCode/y", ".idea/z", ".mcp.json",
          ".claude/settings.json", ".cursor/rules", ".gitmodules", ".github/workflows/ci.yml",
          "Jenkinsfile", "dot/.bashrc", ".git/hooks/pre-commit", ".git/config",
          "v/.git/info/attributes", ".git/modules/a/b/hooks/x"}) {
      CAPTURE(path);
      CHECK_FALSE(reason(added(path)).empty());
    }
    CHECK_FALSE(reason(added("x/y.key")).empty());
    CHECK_FALSE(reason(added("deploy/z")).empty());
    CHECK(reason(added("x/deploy/z")).empty());
    for (const std::string path : {"envrc", "src/.vscodex", "docs/.github/workflows.md", "hooks/x",
                                   "config", ".git/HEAD", "a/Jenkinsfile.md"}) {
      CAPTURE(path);
      CHECK(reason(added(path)).empty());
    }
  }

  TEST_CASE("attributes are sensitive when they name programs") {
    CHECK(reason(added("a/.gitattributes"), "*.c text\n").empty());
    CHECK_FALSE(reason(added(".gitattributes"), "*.c filter=x\n").empty());
  }

  TEST_CASE("of a name that several programs have, the text tells") {
    Change kept = added("pkg/conf.py");
    kept.kind = ChangeKind::Modified;
    kept.before = file();
    CHECK(reason(kept, "DEBUG = True\n").empty());
    CHECK_FALSE(reason(added("pkg/conf.py"), "DEBUG = True\n").empty());
    CHECK(reason(added("app/proguard-rules.pro"), "-keep class **$$serializer { *; }\n").empty());
    CHECK(reason(added("a.pro"), "parent(X, Y) :- child(Y, X).\n").empty());
    CHECK(reason(added("conf/log4j.props"), "log4j.rootLogger=INFO\n").empty());
    CHECK(reason(added("build.targets"), "all: a\n").empty());
    CHECK_FALSE(reason(added("docs/conf.py"), "x\n").empty());
    CHECK_FALSE(reason(added("conf.py"), "x\n").empty());
    CHECK_FALSE(reason(added("pkg/conf.py"), "extensions = ['x']\n").empty());
    CHECK_FALSE(reason(added("a.pro"), "X = $$system(x)\n").empty());
    CHECK_FALSE(reason(added("a.pro"), "system (x)\n").empty());
    CHECK_FALSE(reason(added("a.props"), "\n<Project/>").empty());
    CHECK_FALSE(reason(added_link("pkg/conf.py", "a")).empty());
    CHECK_FALSE(reason(added(".vscode/conf.py"), "x\n").empty());
  }

  TEST_CASE("modules of Python's tools are sensitive at the top where they are new") {
    for (const char* path :
         {"yaml.py", "click/__init__.py", "six.so", "a.dist-info/entry_points.txt",
          "A.egg-info/entry_points.txt", "lanes.lua"}) {
      CHECK_MESSAGE(!reason(added(path)).empty(), path);
    }
    CHECK_FALSE(reason(added_link("a.dist-info", "b")).empty());
    for (const char* path :
         {"src/yaml.py", "packaging/build.sh", "a.egg-info/PKG-INFO", "src/lanes.lua",
          "src/a.egg-info/entry_points.txt", "src/mise/a.c", "mise/a.c"}) {
      CHECK_MESSAGE(reason(added(path)).empty(), path);
    }
    CHECK_FALSE(reason(added("mise/tasks/a")).empty());
    Change own = added("six.py");
    own.before = file();
    CHECK(reason(own).empty());
    own.path = "random.py";
    CHECK_FALSE(reason(own).empty());
  }

  TEST_CASE("what git reads in a directory that it takes for a repository is sensitive") {
    for (const std::string path : {"bare/config", "bare/HEAD", "bare/Hooks/x", "bare/refs/a",
                                   "bare/objects", "bare/commondir", "bare/modules/x/config"}) {
      CAPTURE(path);
      CHECK_FALSE(reason(added(path)).empty());
    }
    for (const std::string path : {"a/config", "config", "bare/config.h", "bare/x/config"}) {
      CAPTURE(path);
      CHECK(reason(added(path)).empty());
    }
  }

  TEST_CASE("what the user's own set-up names is sensitive") {
    CHECK_FALSE(reason(added("scripts/git/pre-commit")).empty());
    CHECK_FALSE(reason(added("tools/env")).empty());
    CHECK_FALSE(reason(added_link("tools", "other")).empty());
    CHECK_FALSE(reason(added_link(".github", "other")).empty());
    CHECK(reason(added("tools/env2")).empty());
    CHECK(reason(added("scripts/gitx")).empty());
  }

  TEST_CASE("names are compared as the least exact filesystem would") {
    for (const std::string path : {".ENVRC", ".envrc.", ".envrc ", ".env\u00adrc", ".v\u017fcode/x",
                                   "x/.GitModules", "a.CODE-workspace", ".Vscode. /x"}) {
      CAPTURE(path);
      CHECK_FALSE(reason(added(path)).empty());
    }
    CHECK(reason(added("code-workspace")).empty());
  }

  TEST_CASE("a symlink is sensitive when it leads out of the tree") {
    CHECK(reason(added_link("a/b", "../c")).empty());
    CHECK(reason(added_link("a/b", "/p/a b/c")).empty());
    CHECK_FALSE(reason(added_link("a", "b/../c")).empty());  // "b" may become a link
    CHECK(reason(added_link("a", "here/here/c")).empty());
    CHECK(reason(added_link("bin/x", "/usr/bin/env")).empty());
    CHECK_FALSE(reason(added_link("bin/python", "/usr/bin/env")).empty());
    CHECK_FALSE(reason(added_link("a", "here/here/../c")).empty());
    CHECK_FALSE(reason(added_link("d/a", "../here/../c")).empty());
    CHECK_FALSE(reason(added_link("a/b", "../../c")).empty());
    CHECK_FALSE(reason(added_link("a", "/etc/passwd")).empty());
    CHECK_FALSE(reason(added_link("a", "/p/a b/../x")).empty());
    CHECK_FALSE(reason(added_link("a", "/p/a bc")).empty());
  }

  TEST_CASE("devices are sensitive") {
    Entry device;
    device.kind = EntryKind::Device;
    CHECK_FALSE(reason(added("x", device)).empty());
  }
}

TEST_SUITE("session/git_dir") {
  TEST_CASE("the git directory of a path is found by its component") {
    CHECK(shadow::session::git_dir_of(".git") == ".git");
    CHECK(shadow::session::git_dir_of("a/.git/config") == "a/.git");
    CHECK(shadow::session::git_dir_of("a/.GIT/config") == "a/.GIT");
    CHECK(shadow::session::git_dir_of("GIT~1") == "GIT~1");
    CHECK_FALSE(shadow::session::git_dir_of("a/.gitignore"));
    CHECK_FALSE(shadow::session::git_dir_of("x.git/y"));
  }

  TEST_CASE("of a new git directory comes what git needs and nothing that it would run") {
    for (const std::string path :
         {".git/HEAD", ".git/refs/heads/a",
          ".git/objects/ab/cdabcdabcdabcdabcdabcdabcdabcdabcdabcd", ".git/refs/remotes/origin/HEAD",
          ".git/refs/heads/feature/config", ".git/index", "v/.git/config", ".git/refs/stash",
          ".git/packed-refs", ".git/shallow"}) {
      CAPTURE(path);
      CHECK(shadow::sensitive::belongs_to_new_git_dir(added(path)));
    }
    for (const std::string path : {".git/hooks/pre-commit",
                                   ".git/info/attributes",
                                   ".git/objects/info/alternates",
                                   ".git/modules/x/config",
                                   ".git/config.worktree",
                                   ".git/commondir",
                                   ".git",
                                   "x",
                                   ".git/refs/heads/HEAD",
                                   ".git/refs/remotes/origin/objects",
                                   ".git/refs/HEAD",
                                   ".git/logs/HEAD",
                                   ".git/logs/refs/stash",
                                   ".git/ORIG_HEAD",
                                   ".git/FETCH_HEAD",
                                   ".git/refs/replace/abcd",
                                   ".git/refs/notes/commits",
                                   ".git/refs/stash/x",
                                   ".git/refs/x",
                                   ".git/objects/info/packs",
                                   ".git/objects/ab/cd",
                                   ".git/objects/pack/x",
                                   ".GIT/HEAD",
                                   "git~1/HEAD",
                                   ".git/refs/remotes/HEAD",
                                   ".git/index/x",
                                   ".git/info/exclude/x"}) {
      CAPTURE(path);
      CHECK_FALSE(shadow::sensitive::belongs_to_new_git_dir(added(path)));
    }
    CHECK_FALSE(shadow::sensitive::belongs_to_new_git_dir(added_link(".git/HEAD", "x")));
  }

  TEST_CASE("the config of a new git directory is what git init writes") {
    const std::string plain = shadow::sensitive::reduced_git_config("[core]\n\tfsmonitor = evil\n");
    CHECK(plain.find("evil") == std::string::npos);
    CHECK(plain.find("repositoryformatversion = 0") != std::string::npos);
    const std::string sha256 =
        shadow::sensitive::reduced_git_config("[extensions]\n\tobjectFormat = sha256\n");
    CHECK(sha256.find("repositoryformatversion = 1") != std::string::npos);
    CHECK(sha256.find("objectformat = sha256") != std::string::npos);
  }
}

TEST_SUITE("changes/review_set") {
  TEST_CASE("Lectic's scripts are known by their names") {
    CHECK(shadow::changes::is_lectic_script(".lectic_script-1"));
    CHECK(shadow::changes::is_lectic_script("a/b/.lectic_script-x"));
    CHECK_FALSE(shadow::changes::is_lectic_script(".lectic_script-x/y"));
    CHECK_FALSE(shadow::changes::is_lectic_script("lectic_script-x"));
  }
}
