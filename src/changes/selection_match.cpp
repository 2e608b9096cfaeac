// SPDX-License-Identifier: MIT
#include "changes/selection_match.hpp"

#include "shadow/error.hpp"

#include "base/nearest.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/look.hpp"
#include "session/project/git_dir.hpp"
#include "session/project/place.hpp"
#include "session/project/real_git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fcntl.h>

namespace shadow::changes {

namespace {

std::vector<std::string> paths_of(const ReviewSet& set) {
  std::vector<std::string> paths;
  for (const auto* items : {&set.items, &set.behind}) {
    for (const ReviewItem& item : *items) {
      paths.push_back(item.change.path);
    }
  }
  return paths;
}

bool any_match(const session::Pathspec& spec, const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&spec](const std::string& path) { return spec.matches(path); });
}

// The git directory of a linked work tree has a layer of its own.
bool is_outer_git_dir(const session::ReviewSession& session, const session::Pathspec& spec) {
  const sys::Fd layer =
      spec.path() == ".git"
          ? sys::try_open_at(session.dir.fd(), "gitdir/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
          : sys::Fd{};
  return layer && session::outside_git_dir(session.project.root) && !sys::is_empty_dir(layer.get());
}

// A review need not walk git directories.
bool is_in_git_dir(const session::ReviewSession& session, const session::Pathspec& spec) {
  return session::git_dir_of(spec.path()) &&
         (overlay::look_beneath(session.upper.get(), spec.path()).exists() ||
          is_outer_git_dir(session, spec));
}

// As it was given, but for the magic that the library's callers never wrote.
std::string shown(const session::Pathspec& spec) {
  const bool magic = spec.argument().front() == ':' && spec.is_plain() && !spec.is_root();
  return quoted(magic ? spec.path() : spec.argument());
}

// Guesses at a path that matches nothing: the same from the root, the same name elsewhere, or one
// that differs by a letter or two.
std::optional<std::string> meant_path(const session::Pathspec& spec, const Project& project,
                                      const std::vector<std::string>& candidates) {
  const Project at_root{project.root, project.root};
  const std::string from = session::place_in(project);
  // A place where one stands is no misspelling of another.
  const std::string_view named{spec.argument()};
  const std::string_view last =
      sys::split_path(named.substr(0, named.find_last_not_of('/') + 1)).name;
  if (last == "." || last == "..") {
    return std::nullopt;
  }
  if (spec.argument().front() != '/') {
    try {
      const session::Pathspec from_root{spec.argument(), at_root};
      if (any_match(from_root, candidates) && from_root.is_plain()) {
        return relative_path(from_root.path(), from);
      }
    } catch (const Error&) {
      // It leads out of the project from there.
    }
  }
  std::set<std::string> names;  // of the changes and of what they are in, as seen from here
  std::vector<std::string> namesakes;
  const std::string_view wanted = sys::split_path(spec.path()).name;
  for (const std::string& path : candidates) {
    if (sys::split_path(path).name == wanted) {
      namesakes.push_back(relative_path(path, from));
    }
    for (std::string_view at = path; !at.empty(); at = sys::split_path(at).parent) {
      if (!names.insert(relative_path(at, from)).second) {
        break;
      }
    }
  }
  if (namesakes.size() == 1) {
    return namesakes.front();
  }
  return nearest(relative_path(spec.path(), from), {names.begin(), names.end()});
}

bool concerns_directory(const Change& change) {
  return change.before.kind == EntryKind::Directory || change.after.kind == EntryKind::Directory;
}

}  // namespace

void refuse_unmatched(const Project& project, const std::string& what,
                      const std::vector<const session::Pathspec*>& unmatched,
                      const std::vector<std::string>& candidates) {
  std::vector<std::string> names;
  std::vector<std::string> paths;
  std::string hint;
  for (const session::Pathspec* spec : unmatched) {
    names.push_back(shown(*spec));
    paths.push_back(spec->path());
    if (hint.empty() && spec->is_plain()) {
      const auto meant = meant_path(*spec, project, candidates);
      hint = meant ? "did you mean " + quoted(*meant) + "?" : "";
    }
  }
  throw Error{what + " at or below " + join(names, ", "), hint, ExitCode::No, paths};
}

void require_matches(const session::ReviewSession& session, const session::Selection& selection,
                     const ReviewSet& set) {
  const std::vector<std::string> paths = paths_of(set);
  std::vector<const session::Pathspec*> unmatched;
  for (const session::Pathspec& spec : selection.wanted()) {
    if (!spec.is_root() && !any_match(spec, paths) && !is_in_git_dir(session, spec)) {
      unmatched.push_back(&spec);
    }
  }
  if (!unmatched.empty()) {
    const ReviewSet whole = review_changes(session, session::Selection{}, WalkGitDirs::No);
    refuse_unmatched(session.project, "no change", unmatched, paths_of(whole));
  }
}

std::vector<std::string> paths_to_drop(const session::Selection& selection, const ReviewSet& set) {
  if (selection.is_plain() && !selection.everything()) {
    return selection.paths();
  }
  std::vector<std::string> all;
  std::vector<std::string> selected;
  std::set<std::string> directories;
  for (const auto* items : {&set.items, &set.behind}) {
    for (const ReviewItem& item : *items) {
      const std::string& path = item.change.path;
      all.push_back(path);
      if (selection.selects(path)) {
        selected.push_back(path);
      }
      if (concerns_directory(item.change)) {
        directories.insert(path);
      }
    }
  }
  // Directories that lead to something that stays.
  std::set<std::string> needed;
  for (const std::string& path : all) {
    if (!selection.selects(path)) {
      for (std::string_view at = path; !at.empty(); at = sys::split_path(at).parent) {
        needed.emplace(at);
      }
    }
  }
  std::erase_if(selected, [&](const std::string& path) {
    return directories.count(path) != 0 && needed.count(path) != 0;
  });
  std::sort(selected.begin(), selected.end());
  return selected;
}

}  // namespace shadow::changes
