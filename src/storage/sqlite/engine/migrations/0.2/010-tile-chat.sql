-- Null follows the zone, 0 never feeds chat, 1 feeds it where the zone does.
ALTER TABLE tile ADD COLUMN connected_to_chat INTEGER;

-- What earlier versions saved from generations says so, and is no source of answers any more.
UPDATE tile SET connected_to_chat = 0, metadata = json_set(coalesce(metadata, '{}'), '$.origin', 'generation')
WHERE metadata = '{"subtype":"GENERATED"}'
  OR EXISTS (SELECT 1 FROM generation g WHERE g.business_id = tile.business_id AND g.tile_id = tile.id);

-- Tiles without a text to search are found by their titles.
CREATE INDEX tile_unready ON tile (business_id, board_id, sequence) WHERE status <> 'ready' AND deleted_at IS NULL;
