-- Jobs are rows of our own, as on SQLite, not of pg-boss. `lease` is the token of a claim, null while the job waits.
CREATE TABLE job (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  tile_id TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'ingest',
  host TEXT NOT NULL COLLATE "C",
  run_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL,
  crashes INTEGER NOT NULL DEFAULT 0,
  suspect BOOLEAN NOT NULL DEFAULT FALSE,
  lease TEXT,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX job_by_tile ON job (business_id, tile_id) WHERE kind = 'ingest';
CREATE INDEX job_due ON job (run_at) WHERE lease IS NULL;
CREATE INDEX job_waiting ON job (business_id, run_at, created_at, number) WHERE lease IS NULL;
CREATE INDEX job_by_host ON job (business_id, host, run_at, created_at, number) WHERE lease IS NULL;
CREATE INDEX job_leased ON job (lease_until) WHERE lease IS NOT NULL;

-- One row for each business that had jobs. `due_at` says when the first waiting one is due, or an earlier time; null if none waits. `turn`
-- grows with each turn of a business: the one with the least is next.
CREATE TABLE due_business (
  business_id TEXT NOT NULL PRIMARY KEY,
  due_at BIGINT,
  turn BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX due_business_by_time ON due_business (due_at, business_id);
CREATE INDEX due_business_by_turn ON due_business (turn, due_at, business_id) WHERE due_at IS NOT NULL;

-- The first claim of a job in pg-boss is not a retry, and claims that were returned do not count as attempts. A job in its last attempt
-- fails at the next claim. Nothing is running, since every node is stopped during an upgrade.
DO $$
BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN RETURN; END IF;
  INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, attempts, max_attempts, crashes, suspect, created_at)
  SELECT t.business_id, j.id::text, t.board_id, t.id, coalesce(j.group_id, ''), floor(extract(epoch FROM j.start_after) * 1000)::bigint,
    j.retry_count + (j.started_on IS NOT NULL)::int - coalesce((j.data ->> 'released')::int, 0),
    j.retry_limit + 1 - coalesce((j.data ->> 'released')::int, 0),
    coalesce((j.data ->> 'crashes')::int, 0), coalesce((j.data ->> 'isSuspect')::boolean, FALSE),
    floor(extract(epoch FROM j.created_on) * 1000)::bigint
  FROM pgboss.job j JOIN tile t ON t.job_id = j.id WHERE j.name = 'ingest' ORDER BY j.created_on, j.id;
  INSERT INTO due_business (business_id, due_at) SELECT business_id, min(run_at) FROM job GROUP BY business_id;
  -- Another program may use pg-boss in this database, and an administrator may own the schema.
  IF NOT EXISTS (SELECT 1 FROM pgboss.queue WHERE name <> 'ingest') THEN
    BEGIN
      DROP SCHEMA pgboss CASCADE;
      RETURN;
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
  END IF;
  DELETE FROM pgboss.job WHERE name = 'ingest';
  DELETE FROM pgboss.queue WHERE name = 'ingest';
END $$;

ALTER TABLE tile DROP COLUMN job_id;
