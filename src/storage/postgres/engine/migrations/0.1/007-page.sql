-- What long work on a tile is at, told while it lasts; a row counts for nothing after `until`.
CREATE TABLE progress (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  tile_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  started_at BIGINT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (business_id, tile_id)
);

-- Small pictures of links, fetched when they are first looked at; without a media type, that there was none to be had.
CREATE TABLE thumbnail (
  business_id TEXT NOT NULL,
  tile_id TEXT NOT NULL,
  source_url TEXT NOT NULL,
  media_type TEXT,
  body BYTEA,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, tile_id)
);
CREATE INDEX thumbnail_by_age ON thumbnail (fetched_at);

-- When backups of the whole install are made, and those that were.
CREATE TABLE backup_schedule (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  every TEXT NOT NULL,
  hour INTEGER NOT NULL,
  keep INTEGER NOT NULL,
  next_at BIGINT,
  updated_at BIGINT NOT NULL
);
CREATE TABLE backup_run (
  id TEXT PRIMARY KEY,
  node TEXT NOT NULL,
  file TEXT NOT NULL,
  bytes BIGINT,
  error TEXT,
  is_removed BOOLEAN NOT NULL DEFAULT FALSE,
  started_at BIGINT NOT NULL,
  ended_at BIGINT
);
