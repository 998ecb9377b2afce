-- Null follows the zone, false never feeds chat, true feeds it where the zone does.
ALTER TABLE tile ADD COLUMN connected_to_chat BOOLEAN;

-- What earlier versions saved from generations says so, and is no source of answers any more.
UPDATE tile SET connected_to_chat = FALSE, metadata = (coalesce(metadata, '{}')::jsonb || '{"origin":"generation"}')::text
WHERE metadata = '{"subtype":"GENERATED"}'
  OR (business_id, id) IN (SELECT g.business_id, g.tile_id FROM generation g WHERE g.tile_id IS NOT NULL);

-- Tiles without a text to search are found by their titles.
CREATE INDEX tile_unready ON tile (business_id, board_id, sequence) WHERE status <> 'ready' AND deleted_at IS NULL;
