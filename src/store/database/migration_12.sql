-- Migration 12: the project's version that a session's entry was made from, where it is later than
-- the base.

CREATE TABLE made_from (
  session       TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path          BLOB NOT NULL,
  base_ctime_ns INTEGER NOT NULL,          -- of the base that it is later than; 0: nothing was there
  source        TEXT NOT NULL,             -- from here on as in bases
  certain       INTEGER NOT NULL,
  kind          INTEGER NOT NULL,
  mode          INTEGER NOT NULL,
  size          INTEGER NOT NULL,
  ino           INTEGER NOT NULL,
  mtime_ns      INTEGER NOT NULL,
  ctime_ns      INTEGER NOT NULL,
  target        BLOB NOT NULL,
  hash          TEXT NOT NULL,
  stored        INTEGER NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
