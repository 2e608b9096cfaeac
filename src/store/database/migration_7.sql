-- Migration 7: what a list of all sessions shows is recorded, so that it walks no session's files.

CREATE TABLE tallies (
  session         TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
  version         INTEGER NOT NULL DEFAULT 0,  -- one more with each change of the session's side
  changes         INTEGER,                     -- paths an apply could take; NULL where that cannot be told
  changes_version INTEGER NOT NULL DEFAULT -1, -- whose changes these are
  counted_ns      INTEGER NOT NULL DEFAULT 0,  -- when they were looked at
  bytes           INTEGER,                     -- of the files in the project's layer
  home_bytes      INTEGER,                     -- and in the home layer
  bytes_version   INTEGER NOT NULL DEFAULT -1
) STRICT, WITHOUT ROWID;
