-- Migration 14: the extended attributes and ACLs that a file of the project had as a base.

-- About the inode as it was at that change time: a base of it, from whichever table, had these.
CREATE TABLE base_attributes (
  session       TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  path          BLOB NOT NULL,
  ino           INTEGER NOT NULL,
  ctime_ns      INTEGER NOT NULL,
  of_user       TEXT NOT NULL,             -- the hash of its user.* attributes; '': it has none
  acls          TEXT NOT NULL,             -- the same of its ACLs, without what its mode tells
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
