CREATE TABLE business (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- `number` is the board's short name inside this file; it keeps the keys of the search index small.
CREATE TABLE board (
  number INTEGER PRIMARY KEY,
  business_id TEXT NOT NULL REFERENCES business (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  revision INTEGER NOT NULL DEFAULT 1,
  zone_revision INTEGER NOT NULL DEFAULT 1,
  next_sequence INTEGER NOT NULL DEFAULT 1,
  next_document INTEGER NOT NULL DEFAULT 0,
  documents INTEGER NOT NULL DEFAULT 0,
  total_length INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  UNIQUE (business_id, id),
  UNIQUE (business_id, slug)
) STRICT;
CREATE UNIQUE INDEX board_default ON board (business_id) WHERE is_default = 1;

CREATE TABLE zone (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  name TEXT NOT NULL,
  sort_order INTEGER NOT NULL,
  connected_to_chat INTEGER NOT NULL DEFAULT 1,
  color TEXT,
  emoji TEXT,
  size TEXT NOT NULL DEFAULT 'md',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (business_id, id)
) STRICT;
CREATE INDEX zone_by_board ON zone (business_id, board_id, sort_order, id) WHERE deleted_at IS NULL;

-- `raw_content` is null where it equals `extracted_text`. `indexed` is 0 while a ready tile's words wait for the index.
CREATE TABLE tile (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  zone_id TEXT,
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  title_by_hand INTEGER NOT NULL,
  text_by_hand INTEGER NOT NULL,
  indexed INTEGER NOT NULL,
  announced INTEGER NOT NULL DEFAULT 0,
  source_url TEXT,
  external_id TEXT,
  sort_order INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  deleted_with TEXT,
  error TEXT,
  metadata TEXT,
  warnings TEXT,
  raw_content TEXT,
  extracted_text TEXT NOT NULL,
  PRIMARY KEY (business_id, id)
) STRICT;
CREATE INDEX tile_by_board ON tile (business_id, board_id, sequence) WHERE deleted_at IS NULL;
CREATE INDEX tile_by_zone ON tile (business_id, zone_id, sequence) WHERE deleted_at IS NULL AND zone_id IS NOT NULL;
CREATE INDEX tile_by_change ON tile (business_id, board_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX tile_by_external_id ON tile (business_id, board_id, external_id) WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX tile_unindexed ON tile (business_id, board_id) WHERE indexed = 0;
CREATE INDEX tile_processing ON tile (business_id, id) WHERE status = 'processing';
CREATE INDEX tile_deleted ON tile (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX zone_deleted ON zone (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE job (
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
  PRIMARY KEY (business_id, id)
) STRICT;
CREATE UNIQUE INDEX job_by_tile ON job (business_id, tile_id);
CREATE INDEX job_due ON job (run_at, created_at) WHERE lease IS NULL;
CREATE INDEX job_leased ON job (lease_until) WHERE lease IS NOT NULL;

CREATE TABLE api_key (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  board_id TEXT,
  permission TEXT NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, id)
) STRICT;

CREATE TABLE once (
  business_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, api_key_id, path, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX once_expiry ON once (expires_at);

CREATE TABLE webhook (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous TEXT,
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, id)
) STRICT;

CREATE TABLE delivery (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  payload TEXT NOT NULL,
  body TEXT,
  response_status INTEGER,
  response_start TEXT,
  error TEXT,
  duration_ms INTEGER,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  PRIMARY KEY (business_id, id)
) STRICT;
CREATE INDEX delivery_waiting ON delivery (created_at) WHERE status IN ('pending', 'sending');
CREATE INDEX delivery_by_time ON delivery (business_id, created_at);

CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  business_id TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_business ON audit (business_id, number);

-- The search index, kept per board: documents are chunks, numbered within their board; 2,048 of them make a block.
CREATE TABLE chunk (
  board_number INTEGER NOT NULL,
  document INTEGER NOT NULL,
  tile_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (board_number, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX chunk_by_tile ON chunk (tile_id);

CREATE TABLE posting_block (
  board_number INTEGER NOT NULL,
  block INTEGER NOT NULL,
  live INTEGER NOT NULL,
  dead BLOB NOT NULL,
  PRIMARY KEY (board_number, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE posting (
  board_number INTEGER NOT NULL,
  block INTEGER NOT NULL,
  term TEXT NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (board_number, block, term)
) STRICT, WITHOUT ROWID;
