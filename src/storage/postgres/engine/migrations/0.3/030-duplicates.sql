-- SHA-256 hashes by which the duplicates of a tile on its board are found: of its normalised address, and of the text that it was made of.
-- They are null in tiles that have no address, or were not made of a text. The background fills them for tiles of earlier versions.
ALTER TABLE tile ADD COLUMN address_hash TEXT;
ALTER TABLE tile ADD COLUMN text_hash TEXT;
CREATE INDEX tile_by_address ON tile (business_id, board_id, address_hash, sequence) WHERE deleted_at IS NULL AND address_hash IS NOT NULL;
CREATE INDEX tile_by_text ON tile (business_id, board_id, text_hash, sequence) WHERE deleted_at IS NULL AND text_hash IS NOT NULL;

-- Finds the tiles that the background still has to fill.
CREATE INDEX tile_without_hash ON tile (business_id, id)
  WHERE (source_url IS NOT NULL AND address_hash IS NULL) OR (type = 'TEXT' AND text_hash IS NULL);
