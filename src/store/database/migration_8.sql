-- Migration 8: equal copies are taken out of a session's layer, so that no result needs to be remembered.

DROP TABLE IF EXISTS comparisons;
