// SPDX-License-Identifier: MIT
// A project and a session made of plain directories: no namespace and no mount is needed to review
// one, because the upper is read as it lies on disk.

#pragma once

#include "shadow/session.hpp"

#include "bases/tree/base_tree.hpp"
#include "bases/tree/base_tree_take.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/layer.hpp"
#include "session/directory/review_session.hpp"
#include "session/directory/session_dir.hpp"
#include "session/project/known_projects.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/sessions.hpp"
#include "support/scratch.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "upkeep/open_review.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace shadow::test {

class SessionFixture {
 public:
  // The files exist in the project before the session begins.
  explicit SessionFixture(const std::vector<std::pair<std::string, std::string>>& files = {}) {
    ::setenv("SHADOW_STATE_DIR", (scratch_.path() + "/state").c_str(),
             1);  // NOLINT(concurrency-mt-unsafe): one thread
    ::setenv("HOME", (scratch_.path() + "/home").c_str(),
             1);                        // NOLINT(concurrency-mt-unsafe): one thread
    ::unsetenv("SHADOW_INTERLOCUTOR");  // NOLINT(concurrency-mt-unsafe): one thread
    ::unsetenv("LECTIC_INTERLOCUTOR");  // NOLINT(concurrency-mt-unsafe): one thread
    ::unsetenv("SHADOW_PROJECT");       // NOLINT(concurrency-mt-unsafe): one thread
    (void)::mkdir((scratch_.path() + "/home").c_str(), S_IRWXU);
    (void)::mkdir(root().c_str(), S_IRWXU);
    for (const auto& [path, text] : files) {
      write_real(path, text);
    }
    add_session("a b/../c");
  }

  [[nodiscard]] std::string root() const { return scratch_.path() + "/pro ject"; }

  void add_session(const std::string& name) const {
    const StateDir state = StateDir::open();
    const SessionKey key{root(), name};
    const session::SessionDir dir = session::SessionDir::find_or_make(state, session_id(key));
    const sys::Fd lower = sys::open_path(root(), O_RDONLY | O_DIRECTORY);
    overlay::create_layer(dir.fd(), "project", lower.get());
    const session::SessionFacts facts{sys::identify(lower.get()), sys::now_ns()};
    dir.write_facts(facts);
    store::Database db{state.database()};
    store::add_session(
        db, {{dir.id(), root(), name, 1, 1, ""}, sys::to_text(facts.identity), facts.base_time_ns});
    session::remember_project(state, root());
    store::Blobs blobs{state.path()};
    sys::replace_file_at(dir.fd(), bases::kBaseTree,
                         bases::encode(bases::take_base_tree(root(), facts.base_time_ns, blobs)),
                         S_IRUSR | S_IWUSR);
    sys::wait_for_coarse_tick(facts.base_time_ns);
  }

  // As if no file had been there when the session began.
  void forget_base_tree() const {
    const StateDir state = StateDir::open();
    const auto dir = session::SessionDir::find(state, session_id({root(), "a b/../c"}));
    sys::replace_file_at(dir->fd(), bases::kBaseTree, bases::encode(bases::BaseTree{}),
                         S_IRUSR | S_IWUSR);
  }

  [[nodiscard]] session::ReviewSession open(
      const std::optional<std::string>& name = "a b/../c") const {
    return upkeep::open_review({root(), name},
                               [this](const std::string& note) { notes.push_back(note); });
  }

  void write_real(const std::string& path, const std::string& text) const {
    write(root(), path, text);
  }
  void write_upper(const std::string& path, const std::string& text) const {
    write(upper(), path, text);
  }
  void delete_in_view(const std::string& path) const {
    const sys::Fd upper_fd = sys::open_path(upper(), O_RDONLY | O_DIRECTORY);
    overlay::make_whiteout(upper_fd.get(), path);
  }
  [[nodiscard]] std::optional<std::string> real(const std::string& path) const {
    return sys::read_file_at(AT_FDCWD, root() + "/" + path);
  }
  [[nodiscard]] std::string upper() const {
    return StateDir::open().session(session_id({root(), "a b/../c"})) + "/project/upper";
  }

  mutable std::vector<std::string> notes;

 private:
  static void write(const std::string& directory, const std::string& path,
                    const std::string& text) {
    const sys::Fd dir = sys::open_path(directory, O_RDONLY | O_DIRECTORY);
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos) {
      sys::make_dirs(dir.get(), path.substr(0, slash), S_IRWXU);
    }
    constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    sys::replace_file_at(dir.get(), path, text, kMode);
  }

  Scratch scratch_;
};

}  // namespace shadow::test
