-- Migration 15: the session's entry that may be a copy, where it was seen beside the project's.

-- Both 0: the project had nothing there, or went on, before anybody looked.
ALTER TABLE possible_copies ADD COLUMN own_ino INTEGER NOT NULL DEFAULT 0;
ALTER TABLE possible_copies ADD COLUMN own_ctime_ns INTEGER NOT NULL DEFAULT 0;
