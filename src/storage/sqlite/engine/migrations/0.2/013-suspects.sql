-- Whether a crash was counted that may not be the job's own, so that it runs alone the next time.
ALTER TABLE job ADD COLUMN suspect INTEGER NOT NULL DEFAULT 0;
UPDATE job SET suspect = 1 WHERE crashes > 0;
