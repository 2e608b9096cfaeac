// SPDX-License-Identifier: MIT
#include "changes/tree_rules.hpp"

#include "shadow/error.hpp"

#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "sensitive/leads/home_links.hpp"
#include "sensitive/leads/led_paths.hpp"
#include "sensitive/leads/linked_names.hpp"
#include "sensitive/leads/outer_leads.hpp"
#include "sensitive/leads/project_links.hpp"
#include "sensitive/leads/shifted_links.hpp"
#include "sys/files/beneath.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace shadow::changes {

namespace {

using Marks = std::map<std::string, sensitive::GitMarks, std::less<>>;

// By directory, those names among the changes that a filesystem may fold to a mark.
Marks marks_among(const std::vector<Change>& changes) {
  Marks marks;
  for (const Change& change : changes) {
    const std::string_view path = change.path;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      sensitive::GitMarks found;
      found.add(path.substr(begin, end - begin));
      if (found.head || found.objects || found.refs || found.common) {
        marks[std::string{path.substr(0, begin == 0 ? 0 : begin - 1)}].add(found);
      }
      begin = end + 1;
    }
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

// The text of a file; nullopt if it cannot be read.
std::optional<std::string> text_of(const overlay::View& view, const std::string& path) {
  constexpr std::uint64_t kMostText = 1U << 20U;
  try {
    return view.read(path, kMostText);
  } catch (const Error&) {
    return std::nullopt;
  }
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

std::vector<sensitive::NamedPath> named_in(const session::ReviewSession& session,
                                           const std::vector<Change>& changes,
                                           const sensitive::SensitivePlaces& places) {
  const std::vector<std::string> directories = directories_of(changes);
  const auto real = session::real_git_dir(places.root);
  sensitive::ProjectFinds finds = sensitive::links_of_project(
      {session.lower.get(), real ? real->dir + "/index" : "", places.above}, directories);
  const std::string home = sys::environment("HOME").value_or("");
  const sensitive::UserGit user = sensitive::user_git(home);
  sensitive::NamedByGit git = named_by_git(directories, finds.repositories, user, places);
  std::vector<sensitive::NamedPath> named = std::move(git.paths);
  append_all(named, sensitive::paths_obeyed_in_home(home, sys::environment("PATH").value_or(""),
                                                    places.root));
  sensitive::LeadSources sources{std::move(finds.leading), {}, std::move(git.texts)};
  for (const sensitive::NamedPath& one : named) {
    if (!one.path.empty() && places.in_project(one.path).kind == EntryKind::File) {
      sources.scripts.push_back(one.path);
    }
  }
  const overlay::View project{-1, session.lower.get()};
  const sensitive::LedTrees trees{
      [project](const std::string& path) { return text_of(project, path); },
      places.in_project,
      places.in_view,
      places.root,
      home,
      places.above};
  append_all(named, sensitive::paths_led_to(sources, trees));
  append_all(named, sensitive::paths_led_to_from_above(user, trees));
  append_all(named,
             sensitive::paths_linked_by_names(finds.links, places.patterns,
                                              {places.root, places.above, places.in_project}));
  append_all(named, sensitive::changes_that_shift_links(
                        finds.links, changes, {places.root, places.in_view, places.in_project}));
  return named;
}

}  // namespace

sensitive::SensitivePlaces places_of_session(const session::ReviewSession& session,
                                             const std::vector<Change>& changes,
                                             const std::vector<std::string>& patterns) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  sensitive::SensitivePlaces places;
  places.root = session.project.root;
  places.above = sensitive::names_above(places.root);
  places.patterns = patterns;
  places.in_project = [lower = session.lower.get()](const std::string& path) {
    return overlay::look_beneath(lower, path);
  };
  places.in_view = [view](const std::string& path) { return view.look(path); };
  places.read = [view](const std::string& path) {
    constexpr std::uint64_t kMostText = 1U << 20U;
    return view.read(path, kMostText);
  };
  places.read_project = [lower = session.lower.get()](const std::string& path) {
    return text_of(overlay::View{-1, lower}, path);
  };
  places.git_marks = [view, lower = session.lower.get(),
                      among = std::make_shared<const Marks>(marks_among(changes))](
                         const std::string& directory) {
    sensitive::GitMarks marks = sensitive::look_for_marks(directory, [&](const std::string& path) {
      return overlay::look_beneath(lower, path).exists() || view.look(path).exists();
    });
    if (const auto found = among->find(directory); found != among->end()) {
      marks.add(found->second);
    }
    return marks;
  };
  if (!changes.empty()) {
    places.named = named_in(session, changes, places);
  }
  return places;
}

}  // namespace shadow::changes
