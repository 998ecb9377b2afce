-- Lists the tiles of a board by position without sorting them.
CREATE INDEX tile_by_position ON tile (business_id, zone_id, sort_order, sequence) WHERE deleted_at IS NULL AND zone_id IS NOT NULL;
CREATE INDEX tile_outside_zones ON tile (business_id, board_id, sort_order, sequence) WHERE deleted_at IS NULL AND zone_id IS NULL;

-- Boards that have vectors of an earlier model: the tiles before `before_sequence` are still to be marked as not embedded, the newest
-- first. When none is left, the vectors are erased.
CREATE TABLE vector_reset (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  before_sequence INTEGER NOT NULL,
  PRIMARY KEY (business_id, board_id)
) STRICT, WITHOUT ROWID;

-- Blocks of vectors end with their last one. They had the size of 2,048 vectors, 128 KiB, on a board with a single note. `width` is the
-- size of one vector in bytes.
ALTER TABLE passage_block ADD COLUMN width INTEGER NOT NULL DEFAULT 64;
UPDATE passage_block SET width = length(signatures) / 2048, signatures = substr(signatures, 1, length(signatures) / 2048 * (
    SELECT coalesce(max(c.document) % 2048 + 1, 2048) FROM chunk c
    WHERE c.board_number = passage_block.board_number
      AND c.document >= passage_block.block * 2048 AND c.document < (passage_block.block + 1) * 2048));
