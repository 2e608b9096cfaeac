-- Migration 1: the first form of the database, which is not the present one. The migrations beside
-- this file follow it: they rename columns (`interlocutor` is `agent` since 10), make tables anew
-- (made_from in 13) and drop them (comparisons in 8). shadow-layout(5) tells of the tables as they
-- are; of a state directory `sqlite3 shadow.db .schema` prints them.
--
-- Paths, names and arguments are raw bytes (BLOB): a path need not be UTF-8. Times are nanoseconds
-- since the epoch.
CREATE TABLE sessions (
  id            TEXT PRIMARY KEY,          -- 16 hex digits of XXH3-128(project NUL interlocutor)
  project       BLOB NOT NULL,             -- canonical absolute path
  interlocutor  BLOB NOT NULL,
  root_identity TEXT NOT NULL,             -- sys::to_text of the project's root
  created_ns    INTEGER NOT NULL,
  used_ns       INTEGER NOT NULL,
  base_time_ns  INTEGER NOT NULL,          -- real files with a later ctime count as changed by the user
  home_mode     TEXT NOT NULL DEFAULT '',  -- nothing writes or reads it
  note          TEXT NOT NULL DEFAULT ''   -- what a person must know (machine died during run N)
) STRICT;

CREATE TABLE runs (
  id            INTEGER PRIMARY KEY,
  session       TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  argv          BLOB NOT NULL,             -- words separated by NUL
  cwd           BLOB NOT NULL,
  policy        TEXT NOT NULL DEFAULT '{}',-- JSON
  started_ns    INTEGER NOT NULL,
  ended_ns      INTEGER,                   -- NULL: still going, or its supervisor was killed
  exit_code     INTEGER,                   -- 0..255, NULL when killed by a signal
  signal        INTEGER,
  ending        TEXT NOT NULL DEFAULT '',  -- '', 'timeout', 'terminated', 'memory', 'killed', 'crashed'
  memory_kills  INTEGER NOT NULL DEFAULT 0,-- processes that the kernel killed for the memory limit
  forks_refused INTEGER NOT NULL DEFAULT 0,-- for the limit of processes
  limits_note   TEXT NOT NULL DEFAULT '',  -- which limits were kept in a lesser way than asked
  denied        TEXT NOT NULL DEFAULT '',  -- connections refused by --net=allow: COUNT DESTINATION lines
  supervisor    INTEGER NOT NULL,          -- pid, with its start time: who to ask whether it lives
  supervisor_start INTEGER NOT NULL,
  settled       INTEGER NOT NULL DEFAULT 0,-- its changed paths are in run_changes
  UNIQUE (session, started_ns, supervisor) -- a supervisor has one run
) STRICT;
CREATE INDEX runs_by_session ON runs(session, id);
-- What every review asks for, among thousands of ended runs.
CREATE INDEX runs_unended ON runs(session, id) WHERE ended_ns IS NULL;
CREATE INDEX runs_unsettled ON runs(session, id) WHERE settled = 0;
CREATE INDEX runs_outside_review ON runs(session, id) WHERE instr(policy, '"rw":');

CREATE TABLE run_changes (
  run   INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  path  BLOB NOT NULL,
  what  TEXT NOT NULL,                     -- 'written' or 'deleted'
  PRIMARY KEY (run, path)
) STRICT, WITHOUT ROWID;

-- What the ledger saw in the upper at the end of the last run: tells what the next run touches.
CREATE TABLE upper_seen (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  kind     INTEGER NOT NULL,               -- overlay::UpperKind
  ino      INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;

-- What the real file was. `certain` 1: it was this when the session could first have read it.
CREATE TABLE bases (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  source   TEXT NOT NULL,                  -- 'ledger', 'tree', 'apply' or 'unknown'
  certain  INTEGER NOT NULL,
  kind     INTEGER NOT NULL,               -- EntryKind
  mode     INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  ino      INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  target   BLOB NOT NULL,                  -- of a symlink
  hash     TEXT NOT NULL,                  -- XXH3-128 hex of a file's content, '' when not known
  stored   INTEGER NOT NULL,               -- the content is in blobs/
  git_id   TEXT NOT NULL DEFAULT '',       -- else: the project's object that holds it, in hex
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;

-- The few bases about which there is still something to do, among as many as were ever applied.
CREATE INDEX bases_unsure ON bases (session, path)
  WHERE certain = 0 OR (hash = '' AND kind = 1);
CREATE INDEX bases_without_text ON bases (session, path)
  WHERE stored = 0 AND git_id = '' AND kind = 1;

-- What two large files were found to be: neither was written to since while its inode number and
-- change time are these.
CREATE TABLE comparisons (
  session        TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path           BLOB NOT NULL,
  upper_ino      INTEGER NOT NULL,
  upper_ctime_ns INTEGER NOT NULL,
  lower_ino      INTEGER NOT NULL,
  lower_ctime_ns INTEGER NOT NULL,
  same           INTEGER NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;

-- Bases that a refresh of the session brings, written down before the upper is changed: they count
-- as soon as the upper has this content at upper_path. The other columns are those of bases.
CREATE TABLE pending_bases (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  upper_path BLOB NOT NULL,
  upper_hash TEXT NOT NULL,                -- XXH3-128 hex of a file's content, '' for no entry
  source   TEXT NOT NULL,
  certain  INTEGER NOT NULL,
  kind     INTEGER NOT NULL,               -- EntryKind
  mode     INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  ino      INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  target   BLOB NOT NULL,
  hash     TEXT NOT NULL,
  stored   INTEGER NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;

-- The journal of applies, and what undo needs. A row of `applies` that was rolled back is deleted;
-- one that is 'done' without an ended_ns is wholly written, but its pre-images still lie beside the
-- files.
CREATE TABLE applies (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again: an undo names it
  session     TEXT NOT NULL,               -- kept after the session is gone, for undo
  project     BLOB NOT NULL,
  kind        TEXT NOT NULL,               -- 'apply' or 'undo'
  undoes      INTEGER,                     -- the apply that an undo took back
  state       TEXT NOT NULL,               -- 'staging', 'swapping', 'done', 'undone'
  started_ns  INTEGER NOT NULL,
  ended_ns    INTEGER
) STRICT;
CREATE INDEX applies_by_project ON applies(project, id);

CREATE TABLE apply_steps (
  apply       INTEGER NOT NULL REFERENCES applies(id) ON DELETE CASCADE,
  ord         INTEGER NOT NULL,
  path        BLOB NOT NULL,
  action      TEXT NOT NULL,               -- to_word(Action), or 'relax': a directory made writable
  staged      BLOB NOT NULL,               -- path of the staging name, '' for none
  staged_ino  INTEGER NOT NULL DEFAULT 0,  -- 0 until the staging is done
  staged_size INTEGER NOT NULL DEFAULT 0,
  staged_mtime_ns INTEGER NOT NULL DEFAULT 0,
  before_kind INTEGER NOT NULL,            -- EntryKind
  before_mode INTEGER NOT NULL,
  before_uid  INTEGER NOT NULL,
  before_gid  INTEGER NOT NULL,
  before_size INTEGER NOT NULL,
  before_ino  INTEGER NOT NULL,
  before_mtime_ns INTEGER NOT NULL,
  before_ctime_ns INTEGER NOT NULL,
  before_target BLOB NOT NULL,
  before_xattrs BLOB NOT NULL,             -- user.* as NAME NUL length NUL value, one after another
  before_blob TEXT NOT NULL DEFAULT '',    -- pre-image in blobs/, '' for none
  after_kind  INTEGER NOT NULL,
  after_mode  INTEGER NOT NULL,
  after_target BLOB NOT NULL,
  after_hash  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (apply, ord)
) STRICT, WITHOUT ROWID;

-- The refs of the real repository that an apply moved, written down before it does. Whether one was
-- moved, the ref itself tells.
CREATE TABLE apply_refs (
  apply    INTEGER NOT NULL REFERENCES applies(id) ON DELETE CASCADE,
  name     BLOB NOT NULL,                  -- 'refs/heads/main'
  from_id  TEXT NOT NULL,                  -- '': it did not exist
  to_id    TEXT NOT NULL,                  -- '': it was removed
  PRIMARY KEY (apply, name)
) STRICT, WITHOUT ROWID;

-- Applied paths whose upper entries could not be dropped because the session was live.
CREATE TABLE pending_prunes (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
