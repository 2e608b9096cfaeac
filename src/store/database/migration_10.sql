-- Migration 10: one word for the name that a session is kept for.

ALTER TABLE sessions RENAME COLUMN interlocutor TO agent;
ALTER TABLE applies RENAME COLUMN interlocutor TO agent;
