-- `number` orders jobs by their insertion. It was the rowid, which a rewrite of the file may change. A crash of the process counts as an
-- attempt.
CREATE TABLE numbered_job (
  number INTEGER PRIMARY KEY,
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  tile_id TEXT NOT NULL,
  host TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL,
  lease TEXT,
  lease_until INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (business_id, id)
) STRICT;
INSERT INTO numbered_job SELECT rowid, business_id, id, board_id, tile_id, host, run_at, attempts, max_attempts, lease, lease_until,
  created_at FROM job ORDER BY rowid;
DROP TABLE job;
ALTER TABLE numbered_job RENAME TO job;
CREATE UNIQUE INDEX job_by_tile ON job (business_id, tile_id);
CREATE INDEX job_due ON job (run_at) WHERE lease IS NULL;
CREATE INDEX job_waiting ON job (business_id, run_at, created_at, number) WHERE lease IS NULL;
CREATE INDEX job_by_host ON job (business_id, host, run_at, created_at, number) WHERE lease IS NULL;
CREATE INDEX job_leased ON job (lease_until) WHERE lease IS NOT NULL;

-- One row for each business that had jobs. `due_at` says when the first waiting one is due, or an earlier time; null if none waits. `turn`
-- grows with each turn of a business: the one with the least is next.
CREATE TABLE due_business (
  business_id TEXT NOT NULL PRIMARY KEY,
  due_at INTEGER,
  turn INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX due_business_by_time ON due_business (due_at, business_id);
CREATE INDEX due_business_by_turn ON due_business (turn, due_at, business_id) WHERE due_at IS NOT NULL;
INSERT INTO due_business (business_id, due_at) SELECT business_id, min(run_at) FROM job GROUP BY business_id;
