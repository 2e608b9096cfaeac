-- Migration 4: since when a session's entry hides the project's.

-- A time at which the upper had the path for certain, and the start of the earliest run that may
-- have put it there. 0: before anything that the project has changed since.
ALTER TABLE upper_seen ADD COLUMN since_ns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE upper_seen ADD COLUMN began_ns INTEGER NOT NULL DEFAULT 0;
