-- Migration 6: what a live view was given of the project's is told from what its runs wrote.

-- The upper's entry as it was put there, the kind of a whiteout's being that of nothing; NULL where
-- the session's own entry was applied. And the time of the project's entry that it is a copy of.
ALTER TABLE pending_prunes ADD COLUMN kind INTEGER;
ALTER TABLE pending_prunes ADD COLUMN mode INTEGER;
ALTER TABLE pending_prunes ADD COLUMN size INTEGER;
ALTER TABLE pending_prunes ADD COLUMN ino INTEGER;
ALTER TABLE pending_prunes ADD COLUMN mtime_ns INTEGER;
ALTER TABLE pending_prunes ADD COLUMN ctime_ns INTEGER;
ALTER TABLE pending_prunes ADD COLUMN real_ctime_ns INTEGER;
