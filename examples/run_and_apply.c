/* SPDX-License-Identifier: MIT
 * run_and_apply PROJECT AGENT COMMAND...
 * Runs a command in the agent's session, shows what it changed, applies that, and takes it back.
 *   cc run_and_apply.c $(pkg-config --cflags --libs shadow) */

#include <inttypes.h>
#include <shadow/shadow.h>
#include <stdio.h>

static void print_note(void* data, const char* text) {
  (void)data;
  fprintf(stderr, "note: %s\n", text);
}

/* Whether it failed. */
static int failed(shadow_error* error) {
  if (error == NULL) {
    return 0;
  }
  fprintf(stderr, "%s: %s\n", shadow_kind_word(shadow_error_kind(error)),
          shadow_error_message(error));
  shadow_error_free(error);
  return 1;
}

static int show(shadow_session* session) {
  shadow_changes* changes = NULL;
  char* patch = NULL;
  size_t size = 0;
  if (failed(shadow_list_changes(session, NULL, &changes))) {
    return 1;
  }
  for (size_t i = 0; i < shadow_changes_count(changes); ++i) {
    const shadow_change* change = shadow_changes_at(changes, i);
    printf("%c %s\n", change->kind, change->path);
  }
  shadow_changes_free(changes);
  if (failed(shadow_patch(session, NULL, &patch, &size))) {
    return 1;
  }
  fwrite(patch, 1, size, stdout);
  shadow_text_free(patch);
  return 0;
}

static int work(shadow_session* session, const char* const* command) {
  shadow_applied applied;
  shadow_undone undone;
  int status = 0;
  if (failed(shadow_run(session, command, NULL, NULL, &status)) || status != 0) {
    return 1;
  }
  if (show(session) || failed(shadow_apply(session, NULL, &applied))) {
    return 1;
  }
  printf("apply %" PRId64 " wrote %zu paths\n", applied.id, applied.paths);
  if (failed(shadow_undo(session, applied.id, &undone))) {
    return 1;
  }
  printf("undo %" PRId64 " took %zu back\n", undone.id, undone.paths);
  return 0;
}

int main(int argc, char** argv) {
  shadow_session* session = NULL;
  if (argc < 4) {
    fputs("usage: run_and_apply PROJECT AGENT COMMAND...\n", stderr);
    return 2;
  }
  if (failed(shadow_open(NULL, argv[1], argv[2], print_note, NULL, &session))) {
    return 1;
  }
  int status = work(session, (const char* const*)(argv + 3));
  shadow_close(session);
  return status;
}
