-- Migration 11: what is known of copies when the last run has ended.

-- Paths of the upper that may hold what the project has, to be compared with it once no run goes on.
CREATE TABLE possible_copies (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;

-- The project's version that a session was shown by a copy in its view, and made its own entry of.
CREATE TABLE shown_copies (
  session       TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path          BLOB NOT NULL,
  real_ctime_ns INTEGER NOT NULL,          -- of the project's entry
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
