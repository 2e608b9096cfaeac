// SPDX-License-Identifier: MIT
#include "changes/trees/tree_rules.hpp"

#include "shadow/error.hpp"

#include "changes/trees/tracked.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "sensitive/leads/home_links.hpp"
#include "sensitive/leads/led_paths.hpp"
#include "sensitive/leads/linked_names.hpp"
#include "sensitive/leads/outer_leads.hpp"
#include "sensitive/leads/project_links.hpp"
#include "sensitive/leads/shifted_links.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sys/files/beneath.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

namespace shadow::changes {

namespace {

// By directory, those names among the changes that a filesystem may fold to a mark.
sensitive::MarksByDirectory marks_among(const std::vector<Change>& changes) {
  sensitive::MarksByDirectory marks;
  for (const Change& change : changes) {
    sensitive::add_marks(marks, change.path);
  }
  return marks;
}

// The directories of the changes, and those above.
std::vector<std::string> directories_of(const std::vector<Change>& changes) {
  std::set<std::string, std::less<>> found;
  for (const Change& change : changes) {
    std::string_view directory = sys::split_path(change.path).parent;
    while (!directory.empty() && found.insert(std::string{directory}).second) {
      directory = sys::split_path(directory).parent;
    }
  }
  return {found.begin(), found.end()};
}

template <typename T>
void append_all(std::vector<T>& all, std::vector<T> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

constexpr std::uint64_t kMostJudgedText = 1U << 20U;

// The text of a file; nullopt if it cannot be read.
std::optional<std::string> text_of(const sensitive::ReadView& read, const std::string& path) {
  try {
    return read(path);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> text_of(const overlay::View& view, const std::string& path) {
  return text_of([&view](const std::string& at) { return view.read(at, kMostJudgedText); }, path);
}

// Files that git obeys in the project's own work tree, and in other repositories in it: those that
// a change lies in, and those that were found.
sensitive::NamedByGit named_by_git(const std::vector<std::string>& directories,
                                   const std::vector<std::string>& repositories,
                                   const sensitive::UserGit& user,
                                   const sensitive::SensitivePlaces& places) {
  sensitive::NamedByGit named = sensitive::paths_named_by_git(
      {places.root, places.root, session::obeyed_git_dir(places.root)}, user, places.in_project);
  const auto add = [&](const sensitive::GitSetup& setup) {
    sensitive::NamedByGit more = sensitive::paths_named_by_git(setup, user, places.in_project);
    append_all(named.paths, std::move(more.paths));
    append_all(named.texts, std::move(more.texts));
  };
  if (const auto setup = sensitive::repository_of_environment(places.root)) {
    add(*setup);
  }
  std::set<std::string> tops{repositories.begin(), repositories.end()};
  std::copy_if(directories.begin(), directories.end(), std::inserter(tops, tops.end()),
               [&](const std::string& one) { return places.in_project(one + "/.git").exists(); });
  for (const std::string& directory : tops) {
    const std::string top = places.root + "/" + directory;
    add({places.root, top, session::obeyed_git_dir(top)});
  }
  return named;
}

// As `look` finds it, or where that finds nothing the link that git has there.
sensitive::LookAt with_tracked(const sensitive::LookAt& look, const sensitive::LookAt& tracked) {
  return [&look, &tracked](const std::string& path) {
    Entry entry = look(path);
    return entry.exists() ? entry : tracked(path);
  };
}

// Files among the changes that name others.
std::vector<sensitive::LeadingFile> leading_among(const std::vector<Change>& changes) {
  std::vector<sensitive::LeadingFile> leading;
  for (const Change& change : changes) {
    if (change.after.kind == EntryKind::File &&
        sensitive::find_leading_name(sensitive::folded_name(change.path)) != nullptr) {
      leading.push_back({change.path});
    }
  }
  return leading;
}

std::vector<sensitive::NamedPath> named_in(const JudgedTrees& of,
                                           const std::vector<Change>& changes,
                                           const sensitive::SensitivePlaces& places) {
  const std::vector<std::string> directories = directories_of(changes);
  const auto real = session::real_git_dir(places.root);
  const sensitive::LookAt in_view = with_tracked(places.in_view, places.tracked_link);
  const sensitive::LookAt in_project = with_tracked(places.in_project, places.tracked_link);
  const sensitive::LinkedTrees linked{places.root, in_view, in_project};
  const sensitive::LinkedTrees untracked{places.root, places.in_view, places.in_project};
  sensitive::ProjectFinds finds = sensitive::links_of_project(
      {of.lower, places.root, real ? real->dir + "/index" : "", places.above, places.in_project},
      directories,
      sensitive::may_shift_links(changes, untracked) ? sensitive::SearchFor::Shifts
                                                     : sensitive::SearchFor::Names);
  const std::string home = sys::environment("HOME").value_or("");
  const sensitive::UserGit user = sensitive::user_git(home);
  sensitive::NamedByGit git = named_by_git(directories, finds.repositories, user, places);
  std::vector<sensitive::NamedPath> named = std::move(git.paths);
  append_all(named, sensitive::paths_obeyed_in_home(sensitive::home_of_caller(), places.root,
                                                    places.in_project));
  sensitive::LeadSources sources{std::move(finds.leading), {}, std::move(git.texts)};
  for (const sensitive::NamedPath& one : named) {
    if (!one.path.empty() && places.in_project(one.path).kind == EntryKind::File) {
      sources.scripts.push_back(one.path);
    }
  }
  const overlay::View project{-1, of.lower};
  sensitive::LedTrees trees{[project](const std::string& path) { return text_of(project, path); },
                            places.in_project,
                            places.in_view,
                            places.root,
                            home,
                            places.above};
  if (of.arrival == Arrival::AtOnce) {
    append_all(sources.files, leading_among(changes));
    trees.read = [&places](const std::string& path) { return text_of(places.read, path); };
  }
  append_all(named, sensitive::paths_led_to(sources, trees));
  append_all(named, sensitive::paths_led_to_from_above(user, trees));
  append_all(named, sensitive::paths_linked_by_names(
                        {finds.links, places.root, places.above, places.in_project},
                        places.patterns, named));
  append_all(named, sensitive::changes_that_shift_links(finds, changes, linked));
  return named;
}

// An apply takes some of the changes or all, and git may bring back what it has.
void judge_parts(sensitive::SensitivePlaces& places, const std::vector<Change>& changes) {
  const auto tracked = std::make_shared<Tracked>(places.root);
  places.tracked_link = [tracked, in_view = places.in_view](const std::string& path) {
    Entry link = tracked->link(path);
    return link.exists() || in_view(path).exists() ? link : tracked->committed_link(path);
  };
  places.git_marks = [in_view = places.in_view, in_project = places.in_project, tracked,
                      among = std::make_shared<const sensitive::MarksByDirectory>(
                          marks_among(changes))](const std::string& directory) {
    sensitive::GitMarks marks = sensitive::look_for_marks(directory, [&](const std::string& path) {
      return in_project(path).exists() || in_view(path).exists();
    });
    if (const auto found = among->find(directory); found != among->end()) {
      marks.add(found->second);
    }
    if (!marks.make_git_dir()) {
      marks.add(tracked->marks(directory));
    }
    if (!marks.make_git_dir() && marks.any()) {
      marks.add(tracked->committed_marks(directory));
    }
    return marks;
  };
}

}  // namespace

sensitive::SensitivePlaces places_of(const JudgedTrees& trees, const std::vector<Change>& changes,
                                     const std::vector<std::string>& patterns) {
  sensitive::SensitivePlaces places;
  places.root = trees.root;
  places.above = sensitive::names_above(places.root);
  places.patterns = patterns;
  places.in_project = [lower = trees.lower](const std::string& path) {
    return overlay::look_beneath(lower, path);
  };
  places.in_view = trees.in_view;
  places.read = trees.read;
  places.read_project = [lower = trees.lower](const std::string& path) {
    return text_of(overlay::View{-1, lower}, path);
  };
  if (trees.arrival == Arrival::InParts) {
    judge_parts(places, changes);
  } else {
    places.git_marks = [in_view = trees.in_view](const std::string& directory) {
      return sensitive::look_for_marks(
          directory, [&](const std::string& path) { return in_view(path).exists(); });
    };
  }
  if (!changes.empty()) {
    places.named = named_in(trees, changes, places);
  }
  return places;
}

sensitive::SensitivePlaces places_of_session(const session::ReviewSession& session,
                                             const std::vector<Change>& changes,
                                             const std::vector<std::string>& patterns,
                                             std::function<bool(const std::string&)> ignored) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  sensitive::SensitivePlaces places =
      places_of({session.project.root, session.lower.get(),
                 [view](const std::string& path) { return view.look_for(path); },
                 [view](const std::string& path) { return view.read(path, kMostJudgedText); }},
                changes, patterns);
  places.ignored = std::move(ignored);
  return places;
}

}  // namespace shadow::changes
