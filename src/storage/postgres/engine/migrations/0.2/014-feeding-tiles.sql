-- Finds whether a board or a zone has a tile that feeds chat, without reading the tiles that don't.
CREATE INDEX tile_feeding ON tile (business_id, board_id, zone_id) WHERE status = 'ready' AND deleted_at IS NULL AND connected_to_chat IS NOT FALSE;
