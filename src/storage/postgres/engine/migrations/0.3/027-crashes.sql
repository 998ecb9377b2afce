-- A crash of the process counts as an attempt.
ALTER TABLE job DROP COLUMN crashes, DROP COLUMN suspect;
