-- Finds the tiles of a deleted zone when it is restored. Without it, each step reads all deleted tiles.
CREATE INDEX tile_deleted_with ON tile (business_id, deleted_with, deleted_at) WHERE deleted_at IS NOT NULL;
