-- Migration 13: what a live session's view shows of what the user saves while it goes on.

-- The project's versions of a path, in the order in which the view came to show them, for as long as
-- the session had no entry there. Most are forgotten soon: their texts are no blobs.
CREATE TABLE shown_versions (
  session       TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path          BLOB NOT NULL,
  noted_ns      INTEGER NOT NULL,          -- by then the view showed it, and the session had no entry
  source        TEXT NOT NULL,             -- from here on as in bases; kind 0: nothing is there
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
  text          BLOB,                      -- NULL: it is not kept
  PRIMARY KEY (session, path, noted_ns)
) STRICT;

-- An entry can have been made from one of several versions: the latest has age 0.
ALTER TABLE made_from RENAME TO made_from_before;
CREATE TABLE made_from (
  session       TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path          BLOB NOT NULL,
  age           INTEGER NOT NULL,
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
  PRIMARY KEY (session, path, age)
) STRICT, WITHOUT ROWID;
INSERT INTO made_from
  SELECT session, path, 0, base_ctime_ns, source, certain, kind, mode, size, ino, mtime_ns, ctime_ns,
         target, hash, stored FROM made_from_before;
DROP TABLE made_from_before;
