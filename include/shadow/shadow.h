/* SPDX-License-Identifier: MIT
 * libshadow for C: sessions, their runs and changes. The same as workspace.hpp, which says more on
 * each word, and on threads and processes: any thread may call, one call is done at a time, one
 * object is used by one thread at a time.
 *
 * Every call that can fail returns NULL, or an error that the caller frees. Nothing is thrown
 * through C, nothing is printed. Text is UTF-8 or raw bytes, as in the project's own names; paths
 * are relative to the project. The header is <shadow/shadow.h>: <shadow.h> is the C library's.
 * Until version 1.0 rebuild your program with each release. */

#ifndef SHADOW_SHADOW_H
#define SHADOW_SHADOW_H

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): this is C */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define SHADOW_CHECKED __attribute__((warn_unused_result))
#else
#define SHADOW_CHECKED
#endif

typedef struct shadow_error shadow_error;
typedef struct shadow_session shadow_session;
typedef struct shadow_changes shadow_changes;

/* The kind of a failure. */
typedef enum shadow_kind {
  SHADOW_NO_SESSION = 1, /* nothing was run there yet */
  SHADOW_NOTHING,        /* an answer: no change at these paths, no apply to take back */
  SHADOW_CONFLICT,       /* project and session changed the same thing; nothing was written */
  SHADOW_SENSITIVE,      /* it would act on the user's side, and was not allowed; likewise */
  SHADOW_UNSEEN,         /* not what shadow_patch showed last; likewise */
  SHADOW_STALE,          /* a file was written while it was read; try again */
  SHADOW_BUSY,           /* the session is live, or another command is at work; try later */
  SHADOW_NOT_STARTED,    /* the program `shadow` could not be started */
  SHADOW_INVALID,        /* what was asked for has no meaning */
  SHADOW_INSIDE,         /* this process is in a run itself */
  SHADOW_SYSTEM,         /* a system call failed */
  SHADOW_TROUBLE,        /* everything else */
  SHADOW_NO_MEMORY
} shadow_kind;

/* "no-session", "nothing", "conflict", ...: never NULL. */
const char* shadow_kind_word(shadow_kind kind);

/* Of an error: its kind; a sentence; what to do next with the command line, or ""; and the paths
 * concerned, NULL at `index` count and above. All belong to the error. */
shadow_kind shadow_error_kind(const shadow_error* error);
const char* shadow_error_message(const shadow_error* error);
const char* shadow_error_hint(const shadow_error* error);
const char* shadow_error_path(const shadow_error* error, size_t index);

/* Whether an apply's files were written all the same, and only moving a branch failed: 0 or 1. */
int shadow_error_written(const shadow_error* error);

/* Takes NULL, too. */
void shadow_error_free(shadow_error* error);

/* Called in the thread of the call that it is about; must not call the library. */
typedef void (*shadow_note)(void* data, const char* text);

/* The session of `agent` in the directory `project`, which its first run creates. `state`
 * is an absolute path, or NULL for the one of the command line. `note` may be NULL; it and `data`
 * stay in use until shadow_close, which takes NULL, too. */
SHADOW_CHECKED shadow_error* shadow_open(const char* state, const char* project, const char* agent,
                                         shadow_note note, void* data, shadow_session** session);
void shadow_close(shadow_session* session);

/* Runs a command in the session and waits for its end. `command` ends with NULL, as does `policy`:
 * further words of `shadow run`, such as "--net=none", or NULL. `streams` are three descriptors, or
 * NULL for 0, 1 and 2. `status` is the command's exit status; 128+N when signal N killed it, 124
 * after a time-out, 126 and 127 when it could not be executed or found, 125 when shadow could not
 * isolate it and started nothing. Other calls go on meanwhile. */
SHADOW_CHECKED shadow_error* shadow_run(shadow_session* session, const char* const* command,
                                        const char* const* policy, const int* streams, int* status);

/* `paths` of the calls below: names (not patterns), each with all below it, ended by NULL. NULL in
 * its place means all of the session; a list without a name is an error. */

/* One path at which session and project differ. `kind` is git's letter: A D M T. */
typedef struct shadow_change {
  const char* path;
  char kind;
  int ignored;           /* by git's rules: an apply leaves it unless asked */
  const char* sensitive; /* why a person should look twice, or "" */
  const char* conflict;  /* why it does not go together with the project's own change, or "" */
} shadow_change;

/* Sorted by path. What is in the list belongs to it; free takes NULL, too. */
SHADOW_CHECKED shadow_error* shadow_list_changes(shadow_session* session, const char* const* paths,
                                                 shadow_changes** changes);
size_t shadow_changes_count(const shadow_changes* changes);
const shadow_change* shadow_changes_at(const shadow_changes* changes, size_t index);
void shadow_changes_free(shadow_changes* changes);

/* What an apply would write, as a patch for `git apply`; counts as shown. `text` has a NUL after
 * its `size` bytes, which it may also have among them, and is freed with shadow_text_free. */
SHADOW_CHECKED shadow_error* shadow_patch(shadow_session* session, const char* const* paths,
                                          char** text, size_t* size);
void shadow_text_free(char* text);

/* What an apply does where session and project both changed a path. */
typedef enum shadow_on_conflict {
  SHADOW_ON_CONFLICT_CONFIGURED, /* what the user's configuration says: merge by default */
  SHADOW_ON_CONFLICT_STOP,
  SHADOW_ON_CONFLICT_MERGE,
  SHADOW_ON_CONFLICT_SKIP,
  SHADOW_ON_CONFLICT_OURS,
  SHADOW_ON_CONFLICT_THEIRS,
  SHADOW_ON_CONFLICT_MARKERS
} shadow_on_conflict;

/* All zero is a plain apply of the whole session. */
typedef struct shadow_apply_options {
  const char* const* paths;
  shadow_on_conflict on_conflict;
  int ignored;                           /* also what git ignores */
  const char* const* allow_sensitive_at; /* sensitive changes at or below these, or NULL */
  int allow_sensitive;                   /* all of them but those in a git directory */
  int skip_sensitive;                    /* none of them, and the rest is applied */
  int no_commits;                        /* leave branches alone that the session committed to */
  int unseen;                            /* also what is not what was shown last */
  int keep_mtime;
  int dry_run; /* everything but to write it */
} shadow_apply_options;

/* What an apply did. `id` is 0 when there was nothing to write. */
typedef struct shadow_applied {
  int64_t id;
  size_t paths; /* written, or of a dry run to be written */
  size_t refs;
} shadow_applied;

/* Writes all of it or nothing. `options` and `applied` may be NULL. */
SHADOW_CHECKED shadow_error* shadow_apply(shadow_session* session,
                                          const shadow_apply_options* options,
                                          shadow_applied* applied);

/* What an undo did. */
typedef struct shadow_undone {
  int64_t id;   /* its own number, by which it can be undone in turn */
  int64_t of;   /* the apply, or undo, that it took back */
  size_t paths; /* written or deleted */
  size_t kept;  /* that somebody changed since the apply: left as they are */
} shadow_undone;

/* Takes back the apply of this number, or with 0 the session's newest that is not undone;
 * "sensitive" where that brings back, or completes, what an agent made and is sensitive. `undone`
 * may be NULL. */
SHADOW_CHECKED shadow_error* shadow_undo(shadow_session* session, int64_t id,
                                         shadow_undone* undone);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*, readability-identifier-naming): this is C */

#endif
