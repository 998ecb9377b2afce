-- What is to be done with the tile.
ALTER TABLE job ADD COLUMN kind TEXT NOT NULL DEFAULT 'ingest';
DROP INDEX job_by_tile;
CREATE UNIQUE INDEX job_by_tile ON job (business_id, tile_id) WHERE kind = 'ingest';
DROP INDEX job_due;
CREATE INDEX job_due ON job (run_at) WHERE lease IS NULL;
CREATE INDEX job_waiting ON job (business_id, run_at, created_at) WHERE lease IS NULL;
CREATE INDEX job_by_host ON job (business_id, host, run_at, created_at) WHERE lease IS NULL;

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
