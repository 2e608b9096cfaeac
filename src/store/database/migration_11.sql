-- Migration 11: copies that could not be told from a run's work when it was recorded are looked at again.

-- Paths of the upper that may hold what the project has, to be compared with it once no run goes on.
CREATE TABLE possible_copies (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path     BLOB NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
