// SPDX-License-Identifier: MIT
#include "fault/scene.hpp"

#include "shadow/apply.hpp"
#include "shadow/error.hpp"

#include "promote/recover/transaction.hpp"
#include "store/database/database.hpp"
#include "sys/files/dir.hpp"
#include "sys/processes/process.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace shadow::test {
namespace {

void fill_before(const std::string& root) {
  write_file(root, "a b", "old", 0640);
  write_file(root, "new\nline", "old");
  write_file(root, "\xff", "same", 0600);
  write_file(root, "to-dir", "old");
  make_symlink(root, "link", "old");
  make_fifo(root, "fifo");
  write_file(root, "tree/deep/er/file", "old");
  write_file(root, "tree/deep/other", "old");
  write_file(root, "locked/file", "old", 0444);
  make_dir(root, "moded", 0755);
  set_mode(root, "locked", 0555);
}

void fill_after(const std::string& root) {
  write_file(root, "a b", "new", 0644);
  write_file(root, "\xff", "same", 0700);
  write_file(root, "to-dir/x", "new");
  make_symlink(root, "link", "new");
  write_file(root, "fifo", "a file now");
  write_file(root, "tree", "a file now");
  write_file(root, "locked/file", "new", 0444);
  write_file(root, "made/one", "new");
  make_hard_link(root, "made/one", "made/two");
  make_dir(root, "made/closed", 0555);
  make_dir(root, "moded", 0500);
  set_mode(root, "locked", 0555);
}

// One file that the apply changes, one that it makes.
constexpr const char* kEdited = "a b";
constexpr const char* kCreated = "made";

bool has_staging_name(const Description& description) {
  for (const auto& [path, what] : description) {
    if (path.find(".shadow-") != std::string::npos ||
        path.find(".before-apply") != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string fast_scratch_base() {
  const Scratch usual;
  std::string memory = "/dev/shm/shadow-test-XXXXXX";
  if (::mkdtemp(memory.data()) == nullptr) {
    return usual.path().substr(0, usual.path().rfind('/'));
  }
  const bool keeps = ::setxattr(memory.c_str(), "user.x", "x", 1, 0) == 0;
  ::rmdir(memory.c_str());
  return keeps ? "/dev/shm" : usual.path().substr(0, usual.path().rfind('/'));
}

Scene::Scene(std::string dir) : dir_{std::move(dir)} {
  for (const std::string& path : {wanted(), state()}) {
    if (::mkdir(path.c_str(), S_IRWXU) == 0 && path == wanted()) {
      fill_after(wanted());
    }
  }
}

void Scene::reset(bool applied) {
  sys::remove_tree(AT_FDCWD, real());
  if (::mkdir(real().c_str(), S_IRWXU) != 0) {
    throw_errno("make the project");
  }
  fill_before(real());
  // As the process in the background does after runs and applies: a log that is never moved into
  // the database is read by every opening of it, a page a call.
  store::Database{state() + "/shadow.db"}.checkpoint();
  if (applied && perform_in_child(Operation::Apply, "") != 0) {
    throw Error{"cannot set up an apply"};
  }
}

int Scene::perform(Operation operation) const {
  try {
    store::Database database{state() + "/shadow.db"};
    const ApplySite site{state(), real(), database};
    if (operation == Operation::Recover) {
      const promote::RecoveryReport report = promote::recover(site);
      for (const std::string& line : report.left) {
        std::fprintf(stderr, "# %s\n", line.c_str());
      }
      return report.left.empty() ? kDone : kFailed;
    }
    ApplyResult result;
    if (operation == Operation::Undo) {
      const UndoPlan undo = plan_undo(site, choose_undo(site, std::nullopt, std::nullopt),
                                      [](const auto&) { return MovedFrom{}; });
      if (!undo.kept.empty()) {
        std::fprintf(stderr, "# left: %s (%s)\n", undo.kept[0].path.c_str(),
                     undo.kept[0].reason.c_str());
        return kPartly;  // nobody has changed anything
      }
      result = execute_undo(site, undo);
    } else {
      ApplyRequest request;
      const sys::Fd upper = sys::open_path(wanted(), O_RDONLY | O_DIRECTORY);
      request.upper = upper.get();
      result = execute(site, plan_apply(changes_between(real(), wanted())), request);
    }
    return result.unfinished.empty() ? kDone : kUnfinished;
  } catch (const Error&) {
    return kFailed;
  }
}

pid_t Scene::start(Operation operation, const std::string& failure) const {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("SHADOW_FAIL", failure.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
    ::_exit(perform(operation));
  }
  return child;
}

int Scene::perform_in_child(Operation operation, const std::string& failure) const {
  return sys::wait_for(start(operation, failure));
}

std::string Scene::edit(Edit edit) const {
  std::string created_mine = std::string{kCreated} + "/mine";
  switch (edit) {
    case Edit::InPlace:
      write_file(real(), kEdited, "mine");
      return kEdited;
    case Edit::Replace:
      write_file(dir_, "mine", "mine");
      if (::rename((dir_ + "/mine").c_str(), (real() + '/' + kEdited).c_str()) != 0) {
        throw_errno("edit");
      }
      return kEdited;
    case Edit::Delete:
      remove(real(), kEdited);
      return kEdited;
    case Edit::Create:
      break;
  }
  if (::symlinkat("mine", AT_FDCWD, (real() + '/' + kCreated).c_str()) == 0) {
    return kCreated;
  }
  write_file(real(), created_mine, "mine");  // the apply has made its directory there
  return created_mine;
}

std::string Scene::judge(Description now, const std::string& without) const {
  if (has_staging_name(now)) {
    return "a staging name is left";
  }
  if (promote::recovery_needed(state(), real())) {
    return "the marker is left";
  }
  const Scratch fresh;
  fill_before(fresh.path());
  Description before = describe(fresh.path());
  Description after = describe(wanted());
  for (Description* description : {&now, &before, &after}) {
    description->erase(without);
  }
  if (now == before) {
    return "before";
  }
  if (now == after) {
    return "after";
  }
  std::string torn = "torn:";
  for (const auto& [path, what] : now) {
    torn += ' ';
    torn += path;
    torn += '=';
    torn += what;
  }
  return torn;
}

std::string Scene::outcome(bool undone) const {
  std::string outcome = judge(describe(real()), {});
  if (!undone) {
    return outcome;
  }
  return outcome == "before" ? "after" : outcome == "after" ? "before" : outcome;
}

std::string Scene::outcome_but_edit(Edit edit, const std::string& path) const {
  const Description now = describe(real());
  const auto found = now.find(path);
  const bool there = found != now.end();
  if (edit == Edit::Delete ? there : !there || found->second.find(" mine") == std::string::npos) {
    return "the edit is lost: " + (there ? found->second : "no file");
  }
  return judge(now, path);
}

}  // namespace shadow::test
