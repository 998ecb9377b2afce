-- How often the process ended unexpectedly while the job ran.
ALTER TABLE job ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
