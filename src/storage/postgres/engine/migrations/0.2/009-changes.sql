-- The revision of the board in which a tile was last changed, deleted or restored; null for one that was only created, which
-- `sequence` tells. Pages read what changed since a revision by it, deletions included.
ALTER TABLE tile ADD COLUMN board_revision BIGINT;
CREATE INDEX tile_by_revision ON tile (business_id, board_id, board_revision) WHERE board_revision IS NOT NULL;
