-- Migration 2: what an undo gives back to the session.

-- Whose apply it was, also when the session is gone.
ALTER TABLE applies ADD COLUMN interlocutor BLOB NOT NULL DEFAULT x'';
UPDATE applies SET interlocutor =
  coalesce((SELECT interlocutor FROM sessions WHERE id = applies.session), x'');

-- What an apply or undo changed in its session: the bases that it found there and, where the project
-- got a merge, the session's own version as one. The columns from `source` on are those of `bases`.
CREATE TABLE apply_bases (
  apply    INTEGER NOT NULL REFERENCES applies(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  role     TEXT NOT NULL,                  -- 'found' or 'session'
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
  git_id   TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (apply, path, role)
) STRICT, WITHOUT ROWID;

-- Paths that an undo took from the project while the session was live: what lies for them in the
-- session's `parked` directory goes into its layer as soon as it is idle.
CREATE TABLE give_backs (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
