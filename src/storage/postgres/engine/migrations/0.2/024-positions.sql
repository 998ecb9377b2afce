-- Lists the tiles of a board by position without sorting them. Ids of zones have the collation "C".
CREATE INDEX tile_by_position ON tile (business_id, zone_id COLLATE "C", sort_order, sequence) WHERE deleted_at IS NULL AND zone_id IS NOT NULL;
CREATE INDEX tile_outside_zones ON tile (business_id, board_id, sort_order, sequence) WHERE deleted_at IS NULL AND zone_id IS NULL;
