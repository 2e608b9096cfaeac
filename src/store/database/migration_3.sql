-- Migration 3: what reviews showed, so that an apply does not write anything else.

-- The last time that a review showed the content of a path, and what would have arrived there then:
-- the digest of overlay::arrival.
CREATE TABLE shown (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  digest   BLOB NOT NULL,
  shown_ns INTEGER NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
