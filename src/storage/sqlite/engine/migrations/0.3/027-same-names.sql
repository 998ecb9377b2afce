-- The columns have the names that they have on PostgreSQL, and the conditions of partial indexes are written as there.
ALTER TABLE tile RENAME COLUMN indexed TO is_indexed;
ALTER TABLE tile RENAME COLUMN embedded TO is_embedded;
ALTER TABLE tile RENAME COLUMN announced TO is_announced;
DROP INDEX tile_unindexed;
CREATE INDEX tile_unindexed ON tile (business_id, board_id, sequence, status, deleted_at, connected_to_chat, zone_id) WHERE is_indexed = FALSE;
DROP INDEX tile_unembedded;
CREATE INDEX tile_unembedded ON tile (business_id, board_id, sequence)
  WHERE is_indexed = TRUE AND is_embedded = FALSE AND status = 'ready' AND deleted_at IS NULL;
DROP INDEX tile_feeding;
CREATE INDEX tile_feeding ON tile (business_id, board_id, zone_id) WHERE status = 'ready' AND deleted_at IS NULL AND connected_to_chat IS NOT FALSE;
DROP INDEX board_default;
CREATE UNIQUE INDEX board_default ON board (business_id) WHERE is_default = TRUE;

-- `number` orders deliveries by their insertion. It was the rowid, which a rewrite of the file may change. `sending_until` is when a
-- sender that was not heard of again is taken for lost.
CREATE TABLE numbered_delivery (
  number INTEGER PRIMARY KEY,
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
  sending_until INTEGER,
  UNIQUE (business_id, id)
) STRICT;
INSERT INTO numbered_delivery SELECT rowid, business_id, id, webhook_id, event, url, status, payload, body, response_status, response_start,
  error, duration_ms, created_at, sent_at,
  CASE WHEN status = 'sending' THEN 0 END FROM delivery ORDER BY rowid;
DROP TABLE delivery;
ALTER TABLE numbered_delivery RENAME TO delivery;
CREATE INDEX delivery_sending ON delivery (business_id, sending_until) WHERE status = 'sending';
CREATE INDEX delivery_waiting ON delivery (business_id, created_at, number) WHERE status = 'pending';
CREATE INDEX delivery_by_time ON delivery (business_id, created_at, number);
