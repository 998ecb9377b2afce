-- What deleted tiles were known by: SHA-256 hashes of their external ids and addresses, so that a call can ask not to bring them back. They
-- are kept longer than the tiles, and therefore as hashes.
CREATE TABLE deletion (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, board_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX deletion_by_time ON deletion (business_id, deleted_at);

-- Finds the deleted tiles that a bulk change restores by their external ids.
CREATE INDEX tile_deleted_external_id ON tile (business_id, board_id, external_id) WHERE deleted_at IS NOT NULL AND external_id IS NOT NULL;

-- The SHA-256 of an upload, by which the same file is recognised; null for earlier uploads.
ALTER TABLE tile ADD COLUMN file_hash TEXT;
