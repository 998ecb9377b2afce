-- What generate and idea calls make. `request`, `result` and `error` are JSON; `lease` is held by the process that works on it, so that
-- a row left behind by a process that ended is known by its time. `once_key` is the idempotency key that it was asked under.
CREATE TABLE generation (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL COLLATE "C",
  board_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  asset_type TEXT,
  status TEXT NOT NULL,
  title TEXT,
  tile_id TEXT,
  created_by TEXT,
  once_key TEXT,
  lease TEXT,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  request TEXT NOT NULL,
  result TEXT,
  error TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX generation_by_board ON generation (business_id, board_id, id);
CREATE INDEX generation_leased ON generation (business_id, lease_until) WHERE lease IS NOT NULL;

-- Which generation an idea is of, so that it can be chained.
CREATE TABLE idea (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL COLLATE "C",
  board_id TEXT NOT NULL,
  generation_id TEXT NOT NULL,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX idea_by_board ON idea (business_id, board_id);
