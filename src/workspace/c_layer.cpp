// SPDX-License-Identifier: MIT
// The same for C. No exception leaves a function here.

#include "shadow/shadow.h"
#include "shadow/workspace.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace ws = shadow::workspace;

struct shadow_error {
  shadow_kind kind;
  std::string message;
  std::string hint;
  std::vector<std::string> paths;
  bool written;
};

struct shadow_session {
  ws::Session session;
};

struct shadow_changes {
  std::vector<ws::Change> changes;
  std::vector<shadow_change> rows;  // borrow from it
};

namespace {

static_assert(SHADOW_NO_SESSION == static_cast<int>(ws::Kind::NoSession) + 1);
static_assert(SHADOW_TROUBLE == static_cast<int>(ws::Kind::Trouble) + 1);
static_assert(SHADOW_ON_CONFLICT_CONFIGURED == static_cast<int>(ws::OnConflict::Configured));
static_assert(SHADOW_ON_CONFLICT_MARKERS == static_cast<int>(ws::OnConflict::Markers));

// There is none to make it of.
shadow_error* no_memory() {
  static shadow_error error{SHADOW_NO_MEMORY, "out of memory", {}, {}, false};
  return &error;
}

shadow_error* error_of(shadow_kind kind, const char* message) {
  return new shadow_error{kind, message, {}, {}, false};
}

// In a handler.
shadow_error* handled() noexcept {
  try {
    try {
      throw;
    } catch (const ws::Failure& failure) {
      return new shadow_error{static_cast<shadow_kind>(static_cast<int>(failure.kind()) + 1),
                              failure.what(), failure.hint(), failure.paths(), failure.written()};
    } catch (const std::bad_alloc&) {
      return no_memory();
    } catch (const std::exception& error) {
      return error_of(SHADOW_TROUBLE, error.what());
    }
  } catch (...) {
    return no_memory();
  }
}

template <class Work>
shadow_error* without_throwing(const Work& work) noexcept {
  try {
    work();
    return nullptr;
  } catch (...) {
    return handled();
  }
}

[[noreturn]] void throw_invalid(const char* message) {
  throw ws::Failure{ws::Kind::Invalid, message};
}

std::vector<std::string> words_of(const char* const* words) {
  std::vector<std::string> copies;
  for (; words != nullptr && *words != nullptr; ++words) {
    copies.emplace_back(*words);
  }
  return copies;
}

ws::Paths paths_of(const char* const* paths) {
  return paths == nullptr ? ws::Paths::all() : ws::Paths::only(words_of(paths));
}

const ws::Session& session_of(const shadow_session* session) {
  if (session == nullptr) {
    throw_invalid("cannot go on without a session");
  }
  return session->session;
}

ws::ApplyOptions options_of(const shadow_apply_options& given) {
  if (given.on_conflict < SHADOW_ON_CONFLICT_CONFIGURED ||
      given.on_conflict > SHADOW_ON_CONFLICT_MARKERS) {
    throw_invalid("cannot apply: there is no such way with conflicts");
  }
  ws::ApplyOptions options;
  options.paths = paths_of(given.paths);
  options.on_conflict = static_cast<ws::OnConflict>(given.on_conflict);
  options.ignored = given.ignored != 0;
  if (given.allow_sensitive_at != nullptr && *given.allow_sensitive_at != nullptr) {
    options.allow_sensitive_at = ws::Paths::only(words_of(given.allow_sensitive_at));
  }
  options.allow_sensitive = given.allow_sensitive != 0;
  options.skip_sensitive = given.skip_sensitive != 0;
  options.commits = given.no_commits == 0;
  options.unseen = given.unseen != 0;
  options.keep_mtime = given.keep_mtime != 0;
  return options;
}

ws::Sinks sinks_of(shadow_note note, void* data) {
  ws::Sinks sinks;
  if (note != nullptr) {
    sinks.note = [note, data](const std::string& text) { note(data, text.c_str()); };
  }
  return sinks;
}

// Those that will move, or get a ref of their own.
std::size_t count_refs(const ws::Plan& plan) {
  return static_cast<std::size_t>(
      std::count_if(plan.refs().begin(), plan.refs().end(),
                    [](const shadow::PlannedRef& ref) { return !ref.becomes().empty(); }));
}

shadow_applied apply(const ws::Session& session, const shadow_apply_options& options) {
  ws::Plan plan = session.plan(options_of(options));
  if (options.dry_run != 0) {
    plan.check();
    return {0, plan.promotion().plan.steps.size(), count_refs(plan)};
  }
  const ws::Applied done = plan.execute();
  const auto& refs = done.commits.refs;
  const auto moved = std::count_if(refs.begin(), refs.end(),
                                   [](const shadow::MovedRef& ref) { return !ref.ref.empty(); });
  return {done.id, done.paths.size(), static_cast<std::size_t>(moved)};
}

}  // namespace

const char* shadow_kind_word(shadow_kind kind) {
  if (kind == SHADOW_NO_MEMORY) {
    return "no-memory";
  }
  return kind < SHADOW_NO_SESSION || kind > SHADOW_NO_MEMORY
             ? "trouble"
             : ws::to_word(static_cast<ws::Kind>(static_cast<int>(kind) - 1));
}

shadow_kind shadow_error_kind(const shadow_error* error) {
  return error->kind;
}
const char* shadow_error_message(const shadow_error* error) {
  return error->message.c_str();
}
const char* shadow_error_hint(const shadow_error* error) {
  return error->hint.c_str();
}
const char* shadow_error_path(const shadow_error* error, size_t index) {
  return index < error->paths.size() ? error->paths[index].c_str() : nullptr;
}
int shadow_error_written(const shadow_error* error) {
  return error->written ? 1 : 0;
}
void shadow_error_free(shadow_error* error) {
  if (error != no_memory()) {
    delete error;
  }
}

shadow_error* shadow_open(const char* state, const char* project, const char* agent,
                          shadow_note note, void* data, shadow_session** session) {
  return without_throwing([&] {
    if (session == nullptr || project == nullptr || agent == nullptr) {
      throw_invalid("cannot open a session without a project, an agent and a place for it");
    }
    *session = nullptr;
    const ws::State opened = state == nullptr ? ws::State::open(sinks_of(note, data))
                                              : ws::State::at(state, sinks_of(note, data));
    *session = new shadow_session{opened.session(project, agent)};
  });
}

void shadow_close(shadow_session* session) {
  delete session;
}

shadow_error* shadow_run(shadow_session* session, const char* const* command,
                         const char* const* policy, const int* streams, int* status) {
  return without_throwing([&] {
    if (status == nullptr) {
      throw_invalid("cannot run without a place for the exit status");
    }
    ws::RunOptions options;
    options.policy = words_of(policy);
    if (streams != nullptr) {
      options.in = streams[0];
      options.out = streams[1];
      options.err = streams[2];
    }
    *status = session_of(session).start(words_of(command), options).wait();
  });
}

shadow_error* shadow_list_changes(shadow_session* session, const char* const* paths,
                                  shadow_changes** changes) {
  return without_throwing([&] {
    if (changes == nullptr) {
      throw_invalid("cannot list changes without a place for them");
    }
    *changes = nullptr;
    auto list = std::make_unique<shadow_changes>();
    list->changes = session_of(session).changes(paths_of(paths));
    for (const ws::Change& change : list->changes) {
      list->rows.push_back({change.path.c_str(), shadow::to_letter(change.kind),
                            change.ignored ? 1 : 0, change.sensitive.c_str(),
                            change.conflict.c_str()});
    }
    *changes = list.release();
  });
}

size_t shadow_changes_count(const shadow_changes* changes) {
  return changes->rows.size();
}
const shadow_change* shadow_changes_at(const shadow_changes* changes, size_t index) {
  return index < changes->rows.size() ? &changes->rows[index] : nullptr;
}
void shadow_changes_free(shadow_changes* changes) {
  delete changes;
}

shadow_error* shadow_patch(shadow_session* session, const char* const* paths, char** text,
                           size_t* size) {
  return without_throwing([&] {
    if (text == nullptr || size == nullptr) {
      throw_invalid("cannot make a patch without a place for it");
    }
    *text = nullptr;
    const std::string patch = session_of(session).patch(paths_of(paths));
    auto copy = std::make_unique<char[]>(patch.size() + 1);
    std::memcpy(copy.get(), patch.c_str(), patch.size() + 1);
    *size = patch.size();
    *text = copy.release();
  });
}

void shadow_text_free(char* text) {
  delete[] text;
}

shadow_error* shadow_apply(shadow_session* session, const shadow_apply_options* options,
                           shadow_applied* applied) {
  return without_throwing([&] {
    const shadow_applied done =
        apply(session_of(session), options != nullptr ? *options : shadow_apply_options{});
    if (applied != nullptr) {
      *applied = done;
    }
  });
}

shadow_error* shadow_undo(shadow_session* session, int64_t id, shadow_undone* undone) {
  return without_throwing([&] {
    const ws::Undone done = session_of(session).undo(id == 0 ? std::nullopt : std::optional{id});
    if (undone != nullptr) {
      *undone = {done.id, done.of, done.paths.size(), done.kept.size()};
    }
  });
}
