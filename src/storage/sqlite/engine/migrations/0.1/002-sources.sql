-- What a link's source told beyond its words: when each part is said (lists of start, end, seconds), and what stood before the last
-- refresh that changed the text.
ALTER TABLE tile ADD COLUMN segments TEXT;
ALTER TABLE tile ADD COLUMN earlier_text TEXT;
ALTER TABLE tile ADD COLUMN earlier_until INTEGER;

-- How often a link is read again, and when next.
ALTER TABLE tile ADD COLUMN refresh_minutes INTEGER;
ALTER TABLE tile ADD COLUMN refresh_at INTEGER;
CREATE INDEX tile_by_refresh ON tile (business_id, refresh_at) WHERE refresh_at IS NOT NULL AND deleted_at IS NULL;

-- What an upload said of itself; its bytes are parts under the tile's id, so that a backup and a move hold them.
ALTER TABLE tile ADD COLUMN file_name TEXT;
ALTER TABLE tile ADD COLUMN file_type TEXT;
-- The time stands before the bytes, so that who asks for it does not read through them.
CREATE TABLE file_part (
  business_id TEXT NOT NULL,
  tile_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (business_id, tile_id, part)
) STRICT;
