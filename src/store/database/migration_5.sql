-- Migration 5: runs that can be told apart.

-- The number of a run is never given again, also when its session is gone.

-- AUTOINCREMENT would keep it, in a table that had been made with that.
CREATE TABLE run_numbers (last INTEGER NOT NULL) STRICT;
INSERT INTO run_numbers SELECT coalesce(max(id), 0) FROM runs;
CREATE TRIGGER run_numbered AFTER INSERT ON runs BEGIN
  UPDATE run_numbers SET last = new.id;
END;

-- Where several runs may have made a change: the first and the last of them, else NULL.
ALTER TABLE run_changes ADD COLUMN among_first INTEGER;
ALTER TABLE run_changes ADD COLUMN among_last INTEGER;
