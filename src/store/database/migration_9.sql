-- Migration 9: what a session without changes of its own had before it when it was next used.

-- The start of the last run that began when the session had no change and no other run; 0 is none.
ALTER TABLE sessions ADD COLUMN anew_ns INTEGER NOT NULL DEFAULT 0;

-- The last end of its recorded runs: one that started before has not begun alone.
ALTER TABLE sessions ADD COLUMN last_end_ns INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET last_end_ns =
  coalesce((SELECT max(ended_ns) FROM runs WHERE runs.session = sessions.id), 0);
